/**
 * RSA signatures with PKCS #1 v1.5 padding, with any of the digests that scripts may name, as the reference's verifier
 * checks them.
 * @source RFC 8017, sections 8.2.2 and 9.2; Waves: lang/v1/evaluator/ctx/impl/crypto/RSA.scala; Bouncy Castle 1.78.1:
 *   asymmetric.rsa.DigestSignatureSpi, crypto.encodings.PKCS1Encoding, crypto.engines.RSACoreEngine
 */
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha224, sha256, sha384, sha512 } from "@noble/hashes/sha2.js";
import { sha3_224, sha3_256, sha3_384, sha3_512 } from "@noble/hashes/sha3.js";
import { bytesOfInteger, integerOfBytes } from "../big-endian.ts";
import { concatBytes, equalBytes } from "../bytes.ts";
import { decodeHex } from "../hex.ts";
import { computeNow, type RunStep } from "../long-step.ts";
import { modularPower } from "./modular-power.ts";
import { bitLength, type RsaPublicKey } from "./rsa-key.ts";

/** `oid`: object identifier as DER, without the tag; `hash`: the function. */
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

const tag = { nullValue: 5, identifier: 6, octets: 4, sequence: 0x30 } as const;
const minPaddingBytes = 8;
const nullBytes = 2;

/** The reference's verifier reads past the end of a message that it mistakes for a DigestInfo; with its error text. */
export class OutOfBounds extends Error {}

/**
 * Whether the key signed the message.
 * Cost: microseconds with the usual exponent, milliseconds with a long one: see `modularPower`.
 * @throws OutOfBounds
 */
export function verifyRsa(
  digest: RsaDigest,
  message: Uint8Array,
  signature: Uint8Array,
  { modulus, exponent }: RsaPublicKey,
  run: RunStep = computeNow,
): boolean {
  const sizeBytes = Math.ceil(bitLength(modulus) / 8);
  const number = integerOfBytes(signature);
  // Leading zeros may be missing.
  if (signature.length > sizeBytes || number >= modulus) return false;
  const content = findContent(bytesOfInteger(modularPower(number, exponent, modulus, run), sizeBytes));
  if (content === undefined) return false;
  const expected = digest === "none" ? message : digestInfo(digest, message);
  if (content.length === expected.length) return equalBytes(content, expected);
  return content.length === expected.length - nullBytes && isWithoutNull(content, expected);
}

/** Bytes after 00 01 FF…FF 00; undefined if the block begins otherwise. */
function findContent(block: Uint8Array): Uint8Array | undefined {
  if (block[0] !== 0 || block[1] !== 1) return undefined;
  let end = 2;
  while (block[end] === 0xff) end++;
  if (block[end] !== 0 || end - 2 < minPaddingBytes) return undefined;
  return block.subarray(end + 1);
}

/** DigestInfo of a message: the bytes that are signed. */
export function digestInfo(digest: keyof typeof digests, message: Uint8Array): Uint8Array {
  const { oid, hash } = digests[digest];
  const algorithm = concatBytes(der(tag.identifier, decodeHex(oid)), der(tag.nullValue, new Uint8Array(0)));
  return der(tag.sequence, concatBytes(der(tag.sequence, algorithm), der(tag.octets, hash(message))));
}

/** DER value with a short length. */
function der(kind: number, content: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(kind, content.length), content);
}

/**
 * Whether the content is the DigestInfo without the parameters of its algorithm. With `none`, the message itself is
 * taken for a DigestInfo: its bytes are then used as lengths, whatever they are.
 * @throws OutOfBounds
 */
function isWithoutNull(content: Uint8Array, expected: Uint8Array): boolean {
  const shorter = Int8Array.from(expected);
  for (const at of [1, 3]) shorter[at] = byteAt(shorter, at) - nullBytes;
  const headBytes = 4 + byteAt(shorter, 3);
  const restBytes = expected.length - headBytes - nullBytes;
  let isEqual = true;
  for (let index = 0; index < restBytes; index++) {
    const own = byteAt(content, headBytes + index);
    if (((own ^ byteAt(shorter, headBytes + nullBytes + index)) & 0xff) !== 0) isEqual = false;
  }
  for (let index = 0; index < headBytes; index++) {
    if (((byteAt(content, index) ^ byteAt(shorter, index)) & 0xff) !== 0) isEqual = false;
  }
  return isEqual;
}

function byteAt(bytes: Uint8Array | Int8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) throw new OutOfBounds(`Index ${index} out of bounds for length ${bytes.length}`);
  return byte;
}
