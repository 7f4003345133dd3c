import { describe, expect, it } from "vitest";
import {
  edwardsCoordinate,
  encodedPoint,
  field,
  findPoint,
  littleEndian,
  littleEndianBytes,
  montgomeryCoordinate,
} from "../../src/crypto/edwards25519.ts";
import { bytesOfHex } from "../support/fixtures/hex.ts";

describe("coordinates", () => {
  it("are read least significant byte first, also from within a buffer", () => {
    const bytes = bytesOfHex(`ff ${"01 02".padEnd(95, " 00")} ff`);
    expect(littleEndian(bytes.subarray(1, 33))).toBe(0x0201n);
    expect(littleEndianBytes(0x0201n)).toEqual(bytes.slice(1, 33));
    const largest = 2n ** 512n - 2n ** 64n - 7n;
    expect(
      littleEndian(
        new Uint8Array([...littleEndianBytes(largest & (2n ** 256n - 1n)), ...littleEndianBytes(largest >> 256n)]),
      ),
    ).toBe(largest);
  });

  it("of a public key leave the top bit out and are reduced", () => {
    expect(montgomeryCoordinate(littleEndianBytes(9n + field.ORDER))).toBe(9n);
    expect(montgomeryCoordinate(littleEndianBytes(9n + 2n ** 255n))).toBe(9n);
  });

  it("map u = 9 to y = 4/5, and u = -1, which has no image, to 0", () => {
    expect(edwardsCoordinate(9n)).toBe(field.div(4n, 5n));
    expect(edwardsCoordinate(field.ORDER - 1n)).toBe(0n);
  });

  it("of no point give none", () => {
    expect(findPoint(encodedPoint(2n, 0))).toBeUndefined();
    expect(findPoint(encodedPoint(field.div(4n, 5n), 1))?.toAffine().y).toBe(field.div(4n, 5n));
    // x = 0 has no sign, but both encodings are accepted.
    expect(findPoint(encodedPoint(field.ORDER - 1n, 1))?.isSmallOrder()).toBe(true);
  });
});
