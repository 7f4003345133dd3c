/**
 * RSA signatures with PKCS #1 v1.5 padding, under any of the digests that scripts may name.
 * @source RFC 8017, sections 8.2.2 and 9.2; Waves: lang/v1/evaluator/ctx/impl/crypto/RSA.scala; Java: X509Key,
 * RSAKeyFactory (what is refused, and in which words)
 */
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { sha3_224, sha3_256, sha3_384, sha3_512 } from "@noble/hashes/sha3.js";
import { concatBytes, equalBytes } from "./bytes.ts";
import { encodeHex } from "./hex.ts";

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
  const identifier = der(tag.identifier, new Uint8Array(Buffer.from(digests[digest].oid, "hex")));
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
  if (encoded.length === 1) return "IOException: Short read of DER length";
  if (((encoded[0] as number) & 0x1f) === 0x1f) return "IOException: Tag number over 30 is not supported";
  const outer = readDer(encoded);
  if (outer === undefined) return broken;
  if (outer.kind !== tag.sequence) return "invalid key format";
  if (outer.content.length === 0) return "IOException: Too short";
  const algorithm = readDer(outer.content);
  if (algorithm === undefined) return broken;
  if (algorithm.kind !== tag.sequence) return "IOException: algid parse error, not a sequence";
  const key = readDer(algorithm.rest);
  if (key?.kind !== tag.bitString || key.content[0] !== 0) return broken;
  const numbers = readDer(key.content.subarray(1));
  if (numbers?.kind !== tag.sequence) return "Invalid lenByte";
  const modulus = readDer(numbers.content);
  const exponent = modulus === undefined ? undefined : readDer(modulus.rest);
  if (modulus?.kind !== tag.integer || exponent?.kind !== tag.integer) return broken;
  return checked({ modulus: integerOf(modulus.content), exponent: integerOf(exponent.content) });
}

const broken = "IOException: null";

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

function readDer(bytes: Uint8Array): DerValue | undefined {
  const [kind, first] = bytes;
  if (kind === undefined || first === undefined) return undefined;
  let sizeBytes = first;
  let start = 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4 || bytes.length < 2 + count) return undefined;
    sizeBytes = 0;
    for (let index = 0; index < count; index++) sizeBytes = sizeBytes * 256 + (bytes[2 + index] as number);
    start += count;
  }
  const end = start + sizeBytes;
  if (end > bytes.length) return undefined;
  return { kind, content: bytes.subarray(start, end), rest: bytes.subarray(end) };
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
  return new Uint8Array(Buffer.from(value.toString(16).padStart(sizeBytes * 2, "0"), "hex"));
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}
