/** Encodes certificates and revocation lists, valid or not. */
import type { ECDSA } from "@noble/curves/abstract/weierstrass.js";
import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import { utf8Bytes } from "../../../../src/protocol/codec/utf8.ts";
import { derTags, identifierContent, integerContent, type LengthForm, tagged } from "../der-writer.ts";

export interface SigningKey {
  readonly curve: ECDSA;
  readonly curveIdentifier: string;
  readonly secret: Uint8Array;
}

export interface NamePart {
  readonly type: string;
  readonly text: string;
  /** Tag of the string type. */
  readonly tag: number;
}

export interface ExtensionPart {
  readonly identifier: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

export const algorithms = {
  sha1: "1.2.840.10045.4.1",
  sha256: "1.2.840.10045.4.3.2",
  sha384: "1.2.840.10045.4.3.3",
  sha512: "1.2.840.10045.4.3.4",
} as const;
export type DigestName = keyof typeof algorithms;
const digests = { sha1, sha256, sha384, sha512 } as const;

export interface CertificateSpec {
  version: number;
  serial: bigint;
  issuer: readonly NamePart[];
  subject: readonly NamePart[];
  notBefore: string;
  notAfter: string;
  digest: DigestName;
  /** Algorithm in the signed part, if it differs. */
  innerAlgorithm: string | undefined;
  /** True if the algorithm has the parameter NULL. */
  hasNull: boolean;
  /** Encoded public key. */
  subjectKey: Uint8Array;
  extensions: ExtensionPart[];
  signer: SigningKey;
  /** Encoding of the signed part's length. */
  form: LengthForm;
}

export interface ListSpec {
  issuer: readonly NamePart[];
  thisUpdate: string;
  nextUpdate: string | undefined;
  digest: DigestName;
  entries: readonly { readonly serial: bigint; readonly time: string; readonly extensions: readonly ExtensionPart[] }[];
  extensions: ExtensionPart[];
  signer: SigningKey;
}

const tags = { boolean: 1, octets: 4, set: 0x31, utcTime: 0x17, generalizedTime: 0x18 } as const;

/** The signed certificate. */
export function writeCertificate(spec: CertificateSpec): Uint8Array {
  const inner = algorithm(spec.innerAlgorithm ?? algorithms[spec.digest], spec.hasNull);
  const version = spec.version === 1 ? [] : [tagged(0xa0, integer(BigInt(spec.version - 1)))];
  const extensions =
    spec.extensions.length === 0 ? [] : [tagged(0xa3, sequence(...spec.extensions.map(writeExtension)))];
  const content = concatBytes(
    ...version,
    integer(spec.serial),
    inner,
    writeName(spec.issuer),
    sequence(writeTime(spec.notBefore), writeTime(spec.notAfter)),
    writeName(spec.subject),
    spec.subjectKey,
    ...extensions,
  );
  return signed(tagged(derTags.sequence, content), spec, spec.form);
}

/** The signed list. */
export function writeList(spec: ListSpec): Uint8Array {
  const entries = spec.entries.map(({ serial, time, extensions }) =>
    sequence(
      integer(serial),
      writeTime(time),
      ...(extensions.length === 0 ? [] : [sequence(...extensions.map(writeExtension))]),
    ),
  );
  const content = sequence(
    integer(1n),
    algorithm(algorithms[spec.digest], false),
    writeName(spec.issuer),
    writeTime(spec.thisUpdate),
    ...(spec.nextUpdate === undefined ? [] : [writeTime(spec.nextUpdate)]),
    ...(entries.length === 0 ? [] : [sequence(...entries)]),
    ...(spec.extensions.length === 0 ? [] : [tagged(0xa0, sequence(...spec.extensions.map(writeExtension)))]),
  );
  return signed(content, { ...spec, hasNull: false }, "shortest");
}

/** @param isCompressed one coordinate and a sign instead of both */
export function writeKey({ curve, curveIdentifier, secret }: SigningKey, isCompressed = false): Uint8Array {
  const point = curve.getPublicKey(secret, isCompressed);
  return keyOfPoint(curveIdentifier, point);
}

export function keyOfPoint(curveIdentifier: string, point: Uint8Array): Uint8Array {
  const kind = sequence(identifier("1.2.840.10045.2.1"), identifier(curveIdentifier));
  return sequence(kind, bits(point));
}

export function extension(name: string, value: Uint8Array, isCritical = false): ExtensionPart {
  return { identifier: name, isCritical, value };
}

export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return tagged(derTags.sequence, concatBytes(...parts));
}

export function integer(value: bigint): Uint8Array {
  if (value >= 0n) return tagged(derTags.integer, integerContent(value));
  const sizeBytes = Math.floor((-value).toString(16).length / 2) + 1;
  return tagged(derTags.integer, integerContent(BigInt.asUintN(sizeBytes * 8, value)).slice(-sizeBytes));
}

export function identifier(dotted: string): Uint8Array {
  return tagged(derTags.identifier, identifierContent(dotted));
}

export function boolean(value: boolean): Uint8Array {
  return tagged(tags.boolean, Uint8Array.of(value ? 0xff : 0));
}

export function octets(content: Uint8Array): Uint8Array {
  return tagged(tags.octets, content);
}

export function bits(content: Uint8Array, unusedBits = 0): Uint8Array {
  return tagged(derTags.bits, concatBytes(Uint8Array.of(unusedBits), content));
}

/** Each part becomes a level of its own. */
export function writeName(parts: readonly NamePart[]): Uint8Array {
  return sequence(
    ...parts.map(({ type, text, tag }) => tagged(tags.set, sequence(identifier(type), tagged(tag, utf8Bytes(text))))),
  );
}

/** @param text with a two-digit year, or a `G` and a four-digit year */
export function writeTime(text: string): Uint8Array {
  return text.startsWith("G")
    ? tagged(tags.generalizedTime, utf8Bytes(text.slice(1)))
    : tagged(tags.utcTime, utf8Bytes(text));
}

function writeExtension({ identifier: name, isCritical, value }: ExtensionPart): Uint8Array {
  return sequence(identifier(name), ...(isCritical ? [boolean(true)] : []), octets(value));
}

function algorithm(name: string, hasNull: boolean): Uint8Array {
  return sequence(identifier(name), ...(hasNull ? [tagged(derTags.nothing, new Uint8Array(0))] : []));
}

/** @param form encoding of the signed part's length; the signature is over its shortest form */
function signed(
  content: Uint8Array,
  { digest, hasNull, signer }: Pick<CertificateSpec, "digest" | "hasNull" | "signer">,
  form: LengthForm,
): Uint8Array {
  const { curve, secret } = signer;
  const signature = curve.sign(digests[digest](content), secret, { prehash: false, lowS: false, format: "der" });
  const headBytes = content.length - contentBytes(content);
  const encoded = form === "shortest" ? content : tagged(derTags.sequence, content.subarray(headBytes), form);
  return sequence(encoded, algorithm(algorithms[digest], hasNull), bits(signature));
}

/** Content length of a value in its shortest form. */
function contentBytes(value: Uint8Array): number {
  const first = value[1] as number;
  if (first < 0x80) return first;
  return value.subarray(2, 2 + first - 0x80).reduce((sum, digit) => sum * 256 + digit, 0);
}
