import { p256 } from "@noble/curves/nist.js";
import { expect, test } from "vitest";
import { bytesOfInteger } from "../../src/crypto/big-endian.ts";
import { concatBytes } from "../../src/crypto/bytes.ts";
import { P256Error, verifyP256 } from "../../src/crypto/p256.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";

const message = utf8Bytes("hello");
const secret = new Uint8Array(32).fill(7);
const key = p256.getPublicKey(secret, false).slice(1);
const signature = p256.sign(message, secret, { lowS: false });
const order = p256.Point.Fn.ORDER;
const halves = (bytes: Uint8Array): readonly [Uint8Array, Uint8Array] => [bytes.subarray(0, 32), bytes.subarray(32)];
const [r, s] = halves(signature);
const number = (value: bigint): Uint8Array => bytesOfInteger(value, 32);

test("a signature of the message by the key holds, whichever of the two numbers it has", () => {
  const other = number(order - BigInt(`0x${Buffer.from(s).toString("hex")}`));
  expect(verifyP256(message, signature, key)).toBe(true);
  expect(verifyP256(message, concatBytes(r, other), key)).toBe(true);
  expect(verifyP256(message, signature, concatBytes(key, Uint8Array.of(1)))).toBe(true);
  expect(verifyP256(utf8Bytes("hello!"), signature, key)).toBe(false);
  expect(verifyP256(message, concatBytes(r, number(1n)), key)).toBe(false);
});

test("numbers out of range, keys off the curve and other sizes are faults, in the words of the reference", () => {
  const badNumber = "error:1a000064:ECDSA routines:OPENSSL_internal:BAD_SIGNATURE";
  for (const value of [0n, order, 2n ** 256n - 1n]) {
    expect(() => verifyP256(message, concatBytes(r, number(value)), key)).toThrow(new P256Error(badNumber));
    expect(() => verifyP256(message, concatBytes(number(value), s), key)).toThrow(new P256Error(badNumber));
  }
  const off = key.slice();
  off[63] = (off[63] as number) ^ 1;
  expect(() => verifyP256(message, signature, off)).toThrow(/POINT_IS_NOT_ON_CURVE/);
  expect(() => verifyP256(message, signature, new Uint8Array(64))).toThrow(/POINT_IS_NOT_ON_CURVE/);
  expect(() => verifyP256(message, signature, new Uint8Array(64).fill(255))).toThrow(/DECODE_ERROR/);
  expect(() => verifyP256(message, signature.subarray(1), key)).toThrow(
    "requirement failed: Signature must be exactly 64 bytes",
  );
  expect(() => verifyP256(message, signature, key.subarray(1))).toThrow(
    "Range [32, 32 + 32) out of bounds for length 63",
  );
  expect(() => verifyP256(message, signature, new Uint8Array(0))).toThrow(
    "Range [0, 0 + 32) out of bounds for length 0",
  );
});
