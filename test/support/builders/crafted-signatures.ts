/**
 * Signatures at the edges of the network's rules. Their validity was verified with both verifiers of the reference's
 * library (curve25519-java 0.6.6, Java and native).
 */
import type { EdwardsPoint } from "@noble/curves/abstract/edwards.js";
import { ED25519_TORSION_SUBGROUP } from "@noble/curves/ed25519.js";
import { concatBytes, i32Bytes } from "../../../src/crypto/bytes.ts";
import { publicKeyOf, sign } from "../../../src/crypto/curve25519.ts";
import {
  clampedScalar,
  edwardsCoordinate,
  encodedPoint,
  field,
  findPoint,
  GROUP_ORDER,
  littleEndian,
  littleEndianBytes,
  montgomeryCoordinate,
  Point,
  scalarOf,
} from "../../../src/crypto/edwards25519.ts";
import { sha512 } from "../../../src/crypto/hash.ts";
import type { PrivateKey } from "../../../src/crypto/identities.ts";

export type CraftedSignature = {
  readonly name: string;
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly valid: boolean;
};

/** 64 bytes that look random and are the same in every run. */
function noise(seed: number): Uint8Array {
  return sha512(i32Bytes(seed));
}

function changed(bytes: Uint8Array, offset: number, change: (byte: number) => number): Uint8Array {
  return bytes.with(offset, change(bytes[offset] as number));
}

/** R ‖ S with the sign bit of the key. */
function assemble(nonce: EdwardsPoint, response: bigint, signBit: number): Uint8Array {
  const signature = concatBytes(nonce.toBytes(), littleEndianBytes(response));
  return changed(signature, 63, (top) => top | (signBit << 7));
}

/** All changes to a signature by an ordinary key. */
export function* variantsOfSignature(seed: number): Generator<CraftedSignature> {
  const privateKey = clampedScalar(noise(seed).subarray(0, 32)) as Uint8Array as PrivateKey;
  const publicKey = publicKeyOf(privateKey);
  const message = noise(-seed).subarray(0, seed % 65);
  const signature = sign(privateKey, message, noise(seed + 1_000_000));
  const response = littleEndian(changed(signature, 63, (top) => top & 0x7f).subarray(32));
  const withResponse = (value: bigint) =>
    concatBytes(
      signature.subarray(0, 32),
      changed(littleEndianBytes(value), 31, (top) => top | ((signature[63] as number) & 0x80)),
    );
  const crafted = (name: string, valid: boolean, change: Partial<CraftedSignature>) => ({
    ...{ name: `${name} (${seed})`, publicKey, message, signature, valid },
    ...change,
  });

  yield crafted("as signed", true, {});
  yield crafted("S + l", true, { signature: withResponse(response + GROUP_ORDER) });
  yield crafted("S + 2l, 2^253 or more", false, { signature: withResponse(response + 2n * GROUP_ORDER) });
  yield crafted("l - S", false, { signature: withResponse(GROUP_ORDER - response) });
  yield crafted("the key's top bit set", true, { publicKey: changed(publicKey, 31, (top) => top | 0x80) });
  yield crafted("sign bit flipped", false, { signature: changed(signature, 63, (top) => top ^ 0x80) });
  for (const bit of [0x40, 0x20, 0x10]) {
    yield crafted(`bit ${bit} of S flipped`, false, { signature: changed(signature, 63, (top) => top ^ bit) });
  }
  for (const [index, byte] of noise(seed + 2_000_000)
    .subarray(0, 8)
    .entries()) {
    const flip = (value: number) => value ^ (1 << index);
    yield crafted("flipped in R or S", false, { signature: changed(signature, byte % 64, flip) });
    // Below the top byte, whose top bit has no effect.
    yield crafted("flipped in the key", false, { publicKey: changed(publicKey, byte % 31, flip) });
  }
  yield crafted("longer message", false, { message: concatBytes(message, Uint8Array.of(0)) });
  yield crafted("63 bytes", false, { signature: signature.subarray(0, 63) });
  yield crafted("65 bytes", false, { signature: concatBytes(signature, Uint8Array.of(0)) });
  yield crafted("no bytes", false, { signature: new Uint8Array(0) });
  yield crafted("key of 31 bytes", false, { publicKey: publicKey.subarray(0, 31) });
  yield crafted("key of 33 bytes", false, { publicKey: concatBytes(publicKey, Uint8Array.of(0)) });
  yield crafted("noise", false, { signature: noise(seed + 3_000_000) });
}

/**
 * Keys of small order, with R = S·B - j·A for each j below 8: valid if the hash happens to be j modulo the order of the
 * key.
 */
export function* signaturesOfWeakKeys(): Generator<CraftedSignature> {
  const orderTwoToEight = ED25519_TORSION_SUBGROUP.map((encoded) => Point.fromHex(encoded, true).toAffine().y)
    .filter((y) => y !== 1n)
    .map((y) => field.div(field.add(1n, y), field.sub(1n, y)));
  const coordinates = [...new Set([...orderTwoToEight, field.ORDER - 1n, field.ORDER, field.ORDER + 1n])];
  for (const [seed, coordinate] of coordinates.entries()) {
    for (const publicKey of [littleEndianBytes(coordinate), littleEndianBytes(coordinate + 2n ** 255n)]) {
      for (let index = 0; index < 32; index++) {
        const signBit = index >> 4;
        const message = noise(seed * 64 + index).subarray(0, 20);
        const encodedKey = encodedPoint(edwardsCoordinate(montgomeryCoordinate(publicKey)), signBit);
        const key = findPoint(encodedKey);
        if (key === undefined) throw new Error(`no point of small order has the coordinate ${coordinate}`);
        const response = index % 16 === 0 ? 0n : scalarOf(noise(seed * 64 + index + 1_000_000));
        const assumedChallenge = BigInt(index % 8);
        const nonce = Point.BASE.multiplyUnsafe(response).subtract(key.multiplyUnsafe(assumedChallenge));
        const challenge = scalarOf(sha512(nonce.toBytes(), encodedKey, message));
        const valid = key.multiplyUnsafe(challenge).equals(key.multiplyUnsafe(assumedChallenge));
        const name = `u = ${coordinate}, sign ${signBit}, j = ${assumedChallenge}`;
        yield { name, publicKey, message, signature: assemble(nonce, response, signBit), valid };
        const unreduced = assemble(nonce, response + GROUP_ORDER, signBit);
        yield { name: `${name}, S + l`, publicKey, message, signature: unreduced, valid };
      }
    }
  }
}

/** Keys (and nonces) that are the sum of an ordinary point and one of small order: the cofactor must have no effect. */
export function* signaturesOfMixedOrder(): Generator<CraftedSignature> {
  const torsion = ED25519_TORSION_SUBGROUP.map((encoded) => Point.fromHex(encoded, true));
  for (let index = 0; index < 128; index++) {
    const scalar = scalarOf(noise(index));
    const nonceScalar = scalarOf(noise(index + 1_000_000));
    const message = noise(index + 2_000_000).subarray(0, index % 40);
    const key = Point.BASE.multiply(scalar).add(torsion[index % 8] as EdwardsPoint);
    const nonce = Point.BASE.multiply(nonceScalar).add(torsion[(index >> 3) % 8] as EdwardsPoint);
    const encodedKey = key.toBytes();
    const challenge = scalarOf(sha512(nonce.toBytes(), encodedKey, message));
    const response = (challenge * scalar + nonceScalar) % GROUP_ORDER;
    const { y } = key.toAffine();
    yield {
      name: `key + T${index % 8}, nonce + T${(index >> 3) % 8}`,
      publicKey: littleEndianBytes(field.div(field.add(1n, y), field.sub(1n, y))),
      message,
      signature: assemble(nonce, response, (encodedKey[31] as number) >>> 7),
      valid: Point.BASE.multiplyUnsafe(response).subtract(key.multiplyUnsafe(challenge)).equals(nonce),
    };
  }
}

/** The key u = 9, which is the base point and has the scalars 1 and -1, in its four encodings. */
export function* signaturesOfBasePoint(): Generator<CraftedSignature> {
  for (const [index, encoding] of [9n, 9n + field.ORDER, 9n + 2n ** 255n, 9n + field.ORDER + 2n ** 255n].entries()) {
    for (const signBit of [0, 1]) {
      const encodedKey = encodedPoint(edwardsCoordinate(9n), signBit);
      const message = noise(index);
      const nonceScalar = scalarOf(noise(index + 1_000_000));
      const nonce = Point.BASE.multiply(nonceScalar);
      const challenge = scalarOf(sha512(nonce.toBytes(), encodedKey, message));
      const response = (nonceScalar + (signBit === 0 ? challenge : GROUP_ORDER - challenge)) % GROUP_ORDER;
      yield {
        name: `u = 9 as ${encoding}, sign ${signBit}`,
        publicKey: littleEndianBytes(encoding),
        message,
        signature: assemble(nonce, response, signBit),
        valid: true,
      };
    }
  }
}

/** Encodings of R as a point of small order, some of them not canonical, under keys of every kind. */
export function* signaturesWithWeakNonces(): Generator<CraftedSignature> {
  const encodings = [0n, 1n, field.ORDER - 1n, field.ORDER, field.ORDER + 1n].flatMap((y) => [y, y + 2n ** 255n]);
  const keys = [0n, 1n, 2n, 9n, field.ORDER - 1n, field.ORDER - 3n, 2n ** 255n - 1n].map(littleEndianBytes);
  for (const publicKey of keys) {
    for (const encoding of encodings) {
      for (const top of [0, 0x80]) {
        const signature = concatBytes(littleEndianBytes(encoding), new Uint8Array(32).with(31, top));
        const encodedKey = encodedPoint(edwardsCoordinate(montgomeryCoordinate(publicKey)), top >>> 7);
        const key = findPoint(encodedKey);
        const challenge = scalarOf(sha512(littleEndianBytes(encoding), encodedKey));
        const nonce = key?.negate().multiplyUnsafe(challenge).toBytes();
        yield {
          name: `S = 0, R = ${encoding}, u = ${littleEndian(publicKey)}, sign ${top >>> 7}`,
          publicKey,
          message: new Uint8Array(0),
          signature,
          valid: nonce !== undefined && littleEndian(nonce) === encoding,
        };
      }
    }
  }
}
