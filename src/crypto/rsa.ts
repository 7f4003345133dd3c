/**
 * RSA signatures with PKCS #1 v1.5 padding, under any of the digests that scripts may name.
 * @source RFC 8017, sections 8.2.2 and 9.2; Waves: lang/v1/evaluator/ctx/impl/crypto/RSA.scala; Java: X509Key,
 * RSAKeyFactory (what is refused, and in which words)
 */
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { sha3_224, sha3_256, sha3_384, sha3_512 } from "@noble/hashes/sha3.js";
import { concatBytes, equalBytes } from "./bytes.ts";
import { decodeHex, encodeHex } from "./hex.ts";

export interface RsaPublicKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
}

/** Object identifiers of the digests as DER, without the tag; the hash itself. */
const digests = {
  md5: { oid: "2a864886f70d0205", hash: md5 },
  sha1: { oid: "2b0e03021a", hash: sha1 },
  sha224: { oid: "608648016503040204", hash: sha224 },
  sha256: { oid: "608648016503040201", hash: sha256 },
  sha384: { oid: "608648016503040202", hash: sha384 },
  sha512: { oid: "608648016503040203", hash: sha512 },
  sha3_224: { oid: "608648016503040207", hash: sha3_224 },
  sha3_256: { oid: "608648016503040208", hash: sha3_256 },
  sha3_384: { oid: "608648016503040209", hash: sha3_384 },
  sha3_512: { oid: "60864801650304020a", hash: sha3_512 },
} as const;
/** `none`: the signed bytes are the message itself. */
export type RsaDigest = keyof typeof digests | "none";

const tag = { integer: 2, bitString: 3, nullValue: 5, identifier: 6, octets: 4, sequence: 0x30 } as const;
const minModulusBits = 512;
const maxModulusBits = 16_384;
/** Longer moduli allow short exponents only. */
const maxModulusBitsOfLongExponent = 3_072;
const maxShortExponentBits = 64;
const minPaddingBytes = 8;

/** Whether the key signed the message. Cost: a few microseconds with the usual exponent, milliseconds with a long one. */
export function verifyRsa(
  digest: RsaDigest,
  message: Uint8Array,
  signature: Uint8Array,
  { modulus, exponent }: RsaPublicKey,
): boolean {
  const sizeBytes = Math.ceil(bitLength(modulus) / 8);
  const number = integerOf(signature);
  if (signature.length !== sizeBytes || number >= modulus) return false;
  const block = bytesOf(modularPower(number, exponent, modulus), sizeBytes);
  const content = unpadded(block);
  if (content === undefined) return false;
  if (digest === "none") return equalBytes(content, message);
  const hash = digests[digest].hash(message);
  // The parameters of the algorithm may be missing.
  return equalBytes(content, digestInfo(digest, hash, true)) || equalBytes(content, digestInfo(digest, hash, false));
}

/** What is behind 00 01 FF…FF 00. */
function unpadded(block: Uint8Array): Uint8Array | undefined {
  if (block[0] !== 0 || block[1] !== 1) return undefined;
  let end = 2;
  while (block[end] === 0xff) end++;
  if (block[end] !== 0 || end - 2 < minPaddingBytes) return undefined;
  return block.subarray(end + 1);
}

function digestInfo(digest: Exclude<RsaDigest, "none">, hash: Uint8Array, hasParameters: boolean): Uint8Array {
  const identifier = der(tag.identifier, decodeHex(digests[digest].oid));
  const algorithm = hasParameters ? concatBytes(identifier, der(tag.nullValue, new Uint8Array(0))) : identifier;
  return der(tag.sequence, concatBytes(der(tag.sequence, algorithm), der(tag.octets, hash)));
}

/** Short lengths only. */
function der(kind: number, content: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(kind, content.length), content);
}

/**
 * A public key as X.509 writes it (SubjectPublicKeyInfo, DER); what follows the key is not looked at.
 * @returns the key, or why it is none, in the reference's words where they are known
 */
export function parseRsaPublicKey(encoded: Uint8Array): RsaPublicKey | string {
  if (encoded.length === 0) return "Missing key encoding";
  try {
    return readPublicKey(encoded);
  } catch (error) {
    if (error instanceof DerFault) return `IOException: ${error.message}`;
    throw error;
  }
}

function readPublicKey(encoded: Uint8Array): RsaPublicKey | string {
  const outer = readOuter(encoded);
  if (outer.kind !== tag.sequence) return "invalid key format";
  const algorithm = readDer(outer.content, 0);
  if (algorithm.kind !== tag.sequence) throw new DerFault("algid parse error, not a sequence");
  checkAlgorithm(algorithm.content);
  const key = readDer(algorithm.rest, outer.content.length - algorithm.rest.length);
  if (key.kind !== tag.bitString) {
    throw new DerFault(`DerValue.getBitString, not a bit string ${signedByte(key.kind)}`);
  }
  if (key.content.length === 0) throw new DerFault("Invalid encoding: zero length bit string");
  if (key.content[0] !== 0) throw new DerFault("Invalid number of padding bits");
  return readNumbers(key.content.subarray(1)) ?? "Invalid RSA public key";
}

/** Whether it is RSA's nobody looks. @throws DerFault */
function checkAlgorithm(encoded: Uint8Array): void {
  const identifier = readDer(encoded, 2);
  if (identifier.kind !== tag.identifier) {
    throw new DerFault(`DerValue.getOID, not an OID ${signedByte(identifier.kind)}`);
  }
  if (identifier.rest.length === 0) return;
  const parameters = readDer(identifier.rest, 2 + encoded.length - identifier.rest.length);
  if (parameters.kind === tag.nullValue && parameters.content.length > 0) throw new DerFault("invalid NULL");
  if (parameters.rest.length > 0) throw new DerFault("Invalid AlgorithmIdentifier: extra data");
}

/** The platform's bytes are signed. */
function signedByte(byte: number): number {
  return (byte << 24) >> 24;
}

function readNumbers(encoded: Uint8Array): RsaPublicKey | string | undefined {
  const numbers = readInner(encoded);
  if (numbers?.kind !== tag.sequence) return undefined;
  const modulus = readInner(numbers.content);
  const exponent = modulus === undefined ? undefined : readInner(modulus.rest);
  if (modulus?.kind !== tag.integer || exponent?.kind !== tag.integer) return undefined;
  return checked({ modulus: integerOf(modulus.content), exponent: integerOf(exponent.content) });
}

/** What the reference's platform (Java 17) says of bytes that are no DER. */
class DerFault extends Error {}

function checked(key: RsaPublicKey): RsaPublicKey | string {
  const bits = bitLength(key.modulus);
  if (bits < minModulusBits) return `RSA keys must be at least ${minModulusBits} bits long`;
  if (bits > maxModulusBits) return `RSA keys must be no longer than ${maxModulusBits} bits`;
  if (key.exponent > key.modulus) return "exponent is larger than modulus";
  if (bits > maxModulusBitsOfLongExponent && bitLength(key.exponent) > maxShortExponentBits) {
    return `RSA exponents can be no longer than ${maxShortExponentBits} bits  if modulus is greater than ${maxModulusBitsOfLongExponent} bits`;
  }
  return key;
}

interface DerValue {
  readonly kind: number;
  readonly content: Uint8Array;
  readonly rest: Uint8Array;
}

/** The platform reads the outermost value from a stream, and complains otherwise than about inner ones. */
function readOuter(bytes: Uint8Array): DerValue {
  const [kind = 0, first, ...more] = bytes.subarray(0, 6);
  if ((kind & longTag) === longTag) throw new DerFault("Tag number over 30 is not supported");
  if (first === undefined) throw new DerFault("Short read of DER length");
  if (first < longForm) return content(bytes, kind, 2, first);
  const where = "DerInputStream.getLength(): ";
  const count = first - longForm;
  if (count === 0) throw indefinite(bytes);
  if (count > 4) throw new DerFault(`${where}lengthTag=${count}, too big.`);
  // Behind the end the stream gives -1.
  const length = Array.from({ length: count }, (_, index) => more[index] ?? 0xff);
  if (length[0] === 0) throw new DerFault(`${where}Redundant length bytes found`);
  const sizeBytes = signedLength(length);
  if (sizeBytes < 0) throw new DerFault(`${where}Invalid length bytes`);
  if (sizeBytes < longForm) throw new DerFault(`${where}Should use short form for length`);
  return content(bytes, kind, 2 + count, sizeBytes);
}

function content(bytes: Uint8Array, kind: number, start: number, sizeBytes: number): DerValue {
  const end = start + sizeBytes;
  if (end > bytes.length) throw new DerFault("null");
  return { kind, content: bytes.subarray(start, end), rest: bytes.subarray(end) };
}

const longTag = 0x1f;
const constructed = 0x20;
const longForm = 0x80;

function signedLength(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => (sum << 8) + byte, 0);
}

/** Values whose length is told by an end mark: no key is written so. */
function indefinite(bytes: Uint8Array): DerFault {
  if (((bytes[0] as number) & constructed) === 0) {
    return new DerFault("Indefinite length encoding not supported with non-constructed data");
  }
  const notEnough = new DerFault("not enough data to resolve indef len BER");
  let open = 1;
  for (let at = 2; at < bytes.length; ) {
    if (at + 2 > bytes.length) return notEnough;
    if (bytes[at] === 0 && bytes[at + 1] === 0) open--;
    const first = bytes[at + 1] as number;
    at += 2;
    if (first === longForm) open++;
    else if (first < longForm) at += first;
    else {
      const count = first - longForm;
      if (count > 4) return new DerFault("Too much data");
      if (bytes.length - at < count + 1) return notEnough;
      const sizeBytes = signedLength(Array.from(bytes.subarray(at, at + count)));
      if (sizeBytes < 0) return new DerFault("Invalid length bytes");
      at += count + sizeBytes;
    }
    if (open === 0) return new DerFault("null");
  }
  return notEnough;
}

/** @param offset of the bytes in the value around them @throws DerFault */
function readDer(bytes: Uint8Array, offset: number): DerValue {
  const [kind, first] = bytes;
  if (kind === undefined || first === undefined) throw new DerFault("Too short");
  if ((kind & longTag) === longTag) throw new DerFault(`Tag number over 30 at ${offset} is not supported`);
  let sizeBytes = first;
  let start = 2;
  if (first === longForm) throw indefinite(bytes);
  if (first > longForm) {
    const count = first - longForm;
    if (count > 4) throw new DerFault("Invalid lenByte");
    if (bytes.length < 2 + count) throw new DerFault("Not enough length bytes");
    sizeBytes = signedLength(Array.from(bytes.subarray(2, 2 + count)));
    if (sizeBytes < 0) throw new DerFault("Invalid length bytes");
    start += count;
  }
  const end = start + sizeBytes;
  if (end > bytes.length) throw new DerFault("not enough content");
  return { kind, content: bytes.subarray(start, end), rest: bytes.subarray(end) };
}

/** Undefined: no DER. */
function readInner(bytes: Uint8Array): DerValue | undefined {
  try {
    return readDer(bytes, 0);
  } catch (error) {
    if (error instanceof DerFault) return undefined;
    throw error;
  }
}

function modularPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function integerOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${encodeHex(bytes)}`);
}

function bytesOf(value: bigint, sizeBytes: number): Uint8Array {
  return decodeHex(value.toString(16).padStart(sizeBytes * 2, "0"));
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}
