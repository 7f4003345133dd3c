import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeBase58, parseBase58 } from "../../src/crypto/base58.ts";

/** Byte strings with runs of zeros and of 0xff at either end, which test carries and leading digits. */
const bytes = fc
  .tuple(
    fc.constantFrom(0, 0xff),
    fc.nat({ max: 20 }),
    fc.uint8Array({ maxLength: 90 }),
    fc.constantFrom(0, 0xff),
    fc.nat({ max: 20 }),
  )
  .map(([head, heads, middle, tail, tails]) =>
    Uint8Array.from([...Array(heads).fill(head), ...middle, ...Array(tails).fill(tail)]),
  );

describe("base58 of any bytes", () => {
  it("prints what @scure/base prints", () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(encodeBase58(value)).toBe(base58.encode(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("reads back what it prints", () => {
    fc.assert(
      fc.property(bytes, (value) => {
        expect(parseBase58(encodeBase58(value))).toEqual(value);
      }),
      { numRuns: 2000 },
    );
  });

  it("prints byte strings past the size of its buffer", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 60, maxLength: 700 }), (value) => {
        expect(encodeBase58(value)).toBe(base58.encode(value));
      }),
    );
  });

  it("reads every text as bytes or a fault", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 250 }), (text) => {
        const parsed = parseBase58(text);
        expect(parsed instanceof Uint8Array || parsed.code.startsWith("base58")).toBe(true);
      }),
    );
  });
});
