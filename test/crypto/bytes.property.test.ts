import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesKey, bytesOfKey } from "../../src/crypto/bytes.ts";

test("bytes of every length come back from their key, and other bytes have another key", () => {
  const bytes = fc.uint8Array({ maxLength: 5_000, size: "max" });
  fc.assert(
    fc.property(bytes, bytes, (left, right) => {
      expect(bytesOfKey(bytesKey(left))).toEqual(left);
      expect(bytesKey(left) === bytesKey(right)).toBe(Buffer.compare(left, right) === 0);
    }),
    { numRuns: 30 },
  );
});
