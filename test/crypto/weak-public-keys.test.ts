import { ED25519_TORSION_SUBGROUP } from "@noble/curves/ed25519.js";
import { describe, expect, it } from "vitest";
import { field, littleEndianBytes, Point } from "../../src/crypto/edwards25519.ts";
import { isWeakPublicKey } from "../../src/crypto/weak-public-keys.ts";

describe("isWeakPublicKey", () => {
  it("knows the coordinate of every point of small order", () => {
    for (const encoded of ED25519_TORSION_SUBGROUP) {
      const { y } = Point.fromHex(encoded, true).toAffine();
      // The neutral point, y = 1, is the point at infinity of the Montgomery form and has no coordinate.
      if (y === 1n) continue;
      const u = field.div(field.add(1n, y), field.sub(1n, y));
      expect(isWeakPublicKey(littleEndianBytes(u)), encoded).toBe(true);
    }
  });

  it("knows 0, 1 and -1 in every encoding, with either top bit", () => {
    for (const u of [0n, 1n, field.ORDER - 1n, field.ORDER, field.ORDER + 1n]) {
      expect(isWeakPublicKey(littleEndianBytes(u))).toBe(true);
      expect(isWeakPublicKey(littleEndianBytes(u + 2n ** 255n))).toBe(true);
    }
  });

  it("passes other keys", () => {
    for (const u of [2n, 9n, field.ORDER - 2n, field.ORDER + 2n, 2n ** 255n - 1n]) {
      expect(isWeakPublicKey(littleEndianBytes(u))).toBe(false);
    }
    expect(isWeakPublicKey(new Uint8Array(31))).toBe(false);
    expect(isWeakPublicKey(new Uint8Array(33))).toBe(false);
  });
});
