/**
 * Keys of certificates, and verification of their signatures: NIST curves, secp256k1, and RSA. Keys of other kinds
 * verify nothing: a certificate with one is readable, and its path fails.
 * @source RFC 5480, RFC 3279; Java 17: sun.security.x509.X509Key; AWS-LC, the first of the reference's providers
 */
import type { ECDSA } from "@noble/curves/abstract/weierstrass.js";
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { LRUCache } from "lru-cache";
import { bytesOfInteger, integerOfBytes } from "../big-endian.ts";
import { concatBytes, equalBytes } from "../bytes.ts";
import { DerError } from "../der/der-error.ts";
import {
  bitsOf,
  type DerValue,
  derTag,
  encodedBytes,
  encodedValue,
  integerOf,
  objectIdentifier,
  partsOf,
  readOnlyValue,
} from "../der/platform-der.ts";
import { encodeHex } from "../hex.ts";
import { computeNow, type RunStep } from "../long-step.ts";
import { type NistCurve, verifyOnCurve } from "../nist-curves.ts";
import { modularPower } from "../rsa/modular-power.ts";
import { bitLength } from "../rsa/rsa-key.ts";
import { digestInfo } from "../rsa/verify-rsa.ts";
import { type Algorithm, readAlgorithm } from "./algorithm.ts";
import { keyAlgorithmId } from "./identifiers.ts";
import { coordinateBytes } from "./named-curves.ts";
import { X509Error } from "./x509-error.ts";

/** Signed bytes with their signature. */
export interface Signed {
  readonly bytes: Uint8Array;
  readonly algorithm: Algorithm;
  readonly signature: Uint8Array;
}

interface CurveKey {
  readonly kind: "curve";
  readonly curve: ECDSA;
  readonly x: Uint8Array;
  readonly y: Uint8Array;
}

/** A point of a curve on which nothing is verified, or of no curve. */
interface LooseKey {
  readonly kind: "loose";
  readonly x: Uint8Array;
  readonly y: Uint8Array;
}

interface RsaKey {
  readonly kind: "rsa";
  readonly modulus: bigint;
  readonly exponent: bigint;
}

export type SubjectKey = (CurveKey | LooseKey | RsaKey | { readonly kind: "other" }) & {
  /** The encoded key, in hexadecimal: equal for equal keys. */
  readonly text: string;
};

const curves: ReadonlyMap<string, ECDSA> = new Map([
  ["1.2.840.10045.3.1.7", p256],
  ["1.3.132.0.34", p384],
  ["1.3.132.0.35", p521],
  ["1.3.132.0.10", secp256k1],
]);
const native: ReadonlyMap<ECDSA, NistCurve> = new Map([
  [p256, "p256"],
  [p384, "p384"],
  [p521, "p521"],
]);
const pointForm = { whole: 4, mixedEven: 6, mixedOdd: 7 } as const;
/** Size of a coordinate as scripts see it. */
const scriptCoordinateBytes = 32;
const digests = { sha1, sha224, sha256, sha384, sha512 } as const;
type Digest = keyof typeof digests;
const signatures: ReadonlyMap<string, { readonly kind: "curve" | "rsa"; readonly digest: Digest }> = new Map([
  ["1.2.840.10045.4.1", { kind: "curve", digest: "sha1" }],
  ["1.2.840.10045.4.3.1", { kind: "curve", digest: "sha224" }],
  ["1.2.840.10045.4.3.2", { kind: "curve", digest: "sha256" }],
  ["1.2.840.10045.4.3.3", { kind: "curve", digest: "sha384" }],
  ["1.2.840.10045.4.3.4", { kind: "curve", digest: "sha512" }],
  ["1.2.840.113549.1.1.5", { kind: "rsa", digest: "sha1" }],
  ["1.2.840.113549.1.1.14", { kind: "rsa", digest: "sha224" }],
  ["1.2.840.113549.1.1.11", { kind: "rsa", digest: "sha256" }],
  ["1.2.840.113549.1.1.12", { kind: "rsa", digest: "sha384" }],
  ["1.2.840.113549.1.1.13", { kind: "rsa", digest: "sha512" }],
]);
const leastCoordinateBytes = 28;
const modulusBits = { least: 1_024, most: 16_384 } as const;
const quickModulusBits = 4_096;
const maxExponentBits = 33;
/** Results for distinct signatures: a script may validate the same chain a thousand times. */
const knownSignatures = new LRUCache<string, boolean>({ max: 512 });
/**
 * Length limit of a cache key: key and signature in hexadecimal, and the text between them. Longer ones belong to no
 * key that verifies anything.
 */
const maxKnownCharacters = 10_000;
/** Results by the object of the signed bytes: a certificate may name thousands of points that one list serves. */
const cachedResults = new WeakMap<Uint8Array, Map<SubjectKey, boolean>>();

/** @throws DerError, X509Error a point that is not on its curve */
export function readSubjectKey(value: DerValue): SubjectKey {
  if (value.tag !== derTag.sequence) throw new DerError("corrupt subject key");
  const parts = value.parts;
  const algorithm = readAlgorithm(parts.next());
  const content = bitsOf(parts.next());
  if (parts.available !== 0) throw new DerError("excess subject key");
  const text = encodeHex(encodedValue(value));
  if (algorithm.identifier === keyAlgorithmId.ellipticCurve) return { ...curveKey(algorithm, content), text };
  if (algorithm.identifier === keyAlgorithmId.rsa) return { ...rsaKey(content), text };
  return { kind: "other", text };
}

function curveKey({ parameters }: Algorithm, point: Uint8Array): CurveKey | LooseKey {
  const name = parameters?.tag === derTag.identifier ? objectIdentifier(parameters) : "";
  const sizeBytes = coordinateBytes.get(name);
  if (sizeBytes === undefined) throw new X509Error("subject key, the curve is not known");
  const curve = curves.get(name);
  const whole = curve && findPoint(curve, point);
  if (curve !== undefined && whole !== undefined) return { kind: "curve", curve, ...coordinatesOf(whole, sizeBytes) };
  // A second provider accepts input that the first refuses: an extra byte, and points that are on no curve.
  if (point[0] !== pointForm.whole || (point.length - 1) >> 1 !== sizeBytes) {
    throw new X509Error("subject key, invalid point");
  }
  return { kind: "loose", ...coordinatesOf(point, sizeBytes) };
}

/** Both coordinates after the form byte; undefined if the bytes are no point of the curve. */
function findPoint({ Point }: ECDSA, encoded: Uint8Array): Uint8Array | undefined {
  const [form = 0] = encoded;
  const isMixed = form === pointForm.mixedEven || form === pointForm.mixedOdd;
  // A mixed point has both coordinates, and repeats the parity of the second.
  if (isMixed && ((encoded.at(-1) as number) & 1) !== (form & 1)) return undefined;
  try {
    const point = Point.fromBytes(isMixed ? concatBytes(Uint8Array.of(pointForm.whole), encoded.subarray(1)) : encoded);
    point.assertValidity();
    return point.toBytes(false);
  } catch {
    // The library throws errors of several kinds, all of them for bytes that are not a point.
    return undefined;
  }
}

function coordinatesOf(whole: Uint8Array, sizeBytes: number): { readonly x: Uint8Array; readonly y: Uint8Array } {
  return { x: whole.subarray(1, 1 + sizeBytes), y: whole.subarray(1 + sizeBytes, 1 + 2 * sizeBytes) };
}

function rsaKey(content: Uint8Array): RsaKey {
  const [first, second, ...others] = partsOf(readOnlyValue(content), derTag.sequence);
  if (first === undefined || second === undefined || others.length > 0) throw new DerError("Extra data available");
  // The sign is ignored.
  const [modulus, exponent] = [integerOf(first), integerOf(second)].map((number, index) =>
    number < 0n ? BigInt.asUintN(((index === 0 ? first : second) as DerValue).content.length * 8, number) : number,
  ) as [bigint, bigint];
  return { kind: "rsa", modulus, exponent };
}

/** Whether a signature of the key takes many milliseconds. */
export function isSlowKey(key: SubjectKey): boolean {
  return key.kind === "rsa" && bitLength(key.modulus) > quickModulusBits;
}

/** Whether the key is long enough for a path; keys of other kinds always are. */
export function isLongEnough(key: SubjectKey): boolean {
  if (key.kind === "rsa") return bitLength(key.modulus) >= modulusBits.least;
  return key.kind === "other" || key.x.length >= leastCoordinateBytes;
}

/**
 * Coordinates of a key on a curve, 32 bytes each; shorter ones are padded with zeros.
 * @throws X509Error a key of another kind, or on a curve with longer coordinates
 */
export function keyCoordinates(key: SubjectKey): Uint8Array {
  if (key.kind !== "curve" && key.kind !== "loose") throw new X509Error("the certificate's key is not on a curve");
  const numbers = [key.x, key.y].map(integerOfBytes);
  if (numbers.some((number) => number >> BigInt(8 * scriptCoordinateBytes) !== 0n)) {
    throw new X509Error(`Input is too large to put in byte array of size ${scriptCoordinateBytes}`);
  }
  return concatBytes(...numbers.map((number) => bytesOfInteger(number, scriptCoordinateBytes)));
}

/**
 * Whether the key signed the bytes with that algorithm. Keys that are too short to be trusted verify nothing.
 * Cost: a fifth of a millisecond for P-256, 15 ms for the longest RSA key; results are cached.
 */
export function isSignedBy(
  key: SubjectKey,
  { algorithm, bytes, signature }: Signed,
  run: RunStep = computeNow,
): boolean {
  const found = signatures.get(algorithm.identifier);
  if (found === undefined || found.kind !== key.kind) return false;
  const results = cachedResults.get(bytes) ?? new Map<SubjectKey, boolean>();
  cachedResults.set(bytes, results);
  const cached = results.get(key);
  if (cached !== undefined) return cached;
  const digest = digests[found.digest](bytes);
  const cacheKey = `${key.text} ${found.digest} ${encodeHex(digest)} ${encodeHex(signature)}`;
  let known = knownSignatures.get(cacheKey);
  if (known === undefined) {
    known =
      key.kind === "curve"
        ? isCurveSigned(key, found.digest, bytes, signature)
        : isRsaSigned(key as RsaKey, found.digest, { bytes, signature }, run);
    if (cacheKey.length <= maxKnownCharacters) knownSignatures.set(cacheKey, known);
  }
  results.set(key, known);
  return known;
}

function isCurveSigned(
  { curve, x, y }: CurveKey,
  digestName: Digest,
  signed: Uint8Array,
  signature: Uint8Array,
): boolean {
  const numbers = readNumbers(signature);
  const order = curve.Point.Fn.ORDER;
  if (numbers === undefined || numbers.some((number) => number <= 0n || number >= order)) return false;
  const [r, s] = numbers as [bigint, bigint];
  const name = native.get(curve);
  if (name !== undefined) return verifyOnCurve(name, digestName, signed, { r, s }, concatBytes(x, y));
  const sizeBytes = curve.Point.Fn.BYTES;
  const compact = concatBytes(...numbers.map((number) => bytesOfInteger(number, sizeBytes)));
  const point = concatBytes(Uint8Array.of(pointForm.whole), x, y);
  return curve.verify(compact, digests[digestName](signed), point, { prehash: false, lowS: false });
}

/** r and s; undefined if they are not in the only accepted encoding. */
function readNumbers(signature: Uint8Array): readonly bigint[] | undefined {
  try {
    const value = readOnlyValue(signature);
    const numbers = partsOf(value, derTag.sequence);
    const again = numbers.map(({ tag, content }) => encodedBytes(tag, content));
    const isPlain =
      numbers.length === 2 &&
      numbers.every(({ content }) => content.length === 1 || content[0] !== 0 || (content[1] as number) >= 0x80) &&
      equalBytes(signature, encodedBytes(derTag.sequence, concatBytes(...again)));
    return isPlain ? numbers.map(integerOf) : undefined;
  } catch (error) {
    if (error instanceof DerError) return undefined;
    throw error;
  }
}

function isRsaSigned(
  { modulus, exponent }: RsaKey,
  digest: Digest,
  { bytes: signed, signature }: Pick<Signed, "bytes" | "signature">,
  run: RunStep,
): boolean {
  const bits = bitLength(modulus);
  const isUsable = bits >= modulusBits.least && bits <= modulusBits.most && modulus % 2n === 1n;
  const hasExponent = exponent % 2n === 1n && exponent > 1n && bitLength(exponent) <= maxExponentBits;
  const sizeBytes = Math.ceil(bits / 8);
  const number = integerOfBytes(signature);
  if (!isUsable || !hasExponent || signature.length !== sizeBytes || number >= modulus) return false;
  const info = digestInfo(digest, signed);
  const filled = sizeBytes - info.length - 3;
  const expected = concatBytes(Uint8Array.of(0, 1), new Uint8Array(filled).fill(0xff), Uint8Array.of(0), info);
  return equalBytes(bytesOfInteger(modularPower(number, exponent, modulus, run), sizeBytes), expected);
}
