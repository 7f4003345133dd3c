import * as fc from "fast-check";
import { expect, test } from "vitest";
import { WireError } from "../../../src/protocol/faults.ts";
import { decodeRlpList, encodeRlpList, parseRlpInteger, rlpInteger } from "../../../src/protocol/transactions/rlp.ts";

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "hex"));

test("the examples of the specification", () => {
  expect(encodeRlpList([new TextEncoder().encode("cat"), new TextEncoder().encode("dog")])).toEqual(
    hex("c88363617483646f67"),
  );
  expect(encodeRlpList([])).toEqual(hex("c0"));
  expect(encodeRlpList([new Uint8Array(0), hex("0f"), hex("0400")])).toEqual(hex("c5800f820400"));
  const long = new Uint8Array(56).fill(1);
  expect(encodeRlpList([long])).toEqual(hex(`f83ab838${"01".repeat(56)}`));
});

test("lists are read back as they were written", () => {
  const items = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 });
  void fc.assert(
    fc.property(items, (list) => {
      expect(decodeRlpList(encodeRlpList(list))).toEqual(list);
    }),
  );
});

test("what is read is written back to the same bytes, and the rest is refused with a typed error", () => {
  const noise = fc.uint8Array({ maxLength: 80 });
  const damaged = fc
    .tuple(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 6 }), fc.nat(), fc.nat(255))
    .map(([items, at, byte]) => {
      const bytes = encodeRlpList(items);
      return bytes.with(at % bytes.length, byte);
    });
  const counts = { read: 0, refused: 0 };
  void fc.assert(
    fc.property(fc.oneof(noise, damaged), (bytes) => {
      try {
        expect(encodeRlpList(decodeRlpList(bytes))).toEqual(bytes);
        counts.read++;
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
        counts.refused++;
      }
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(0);
});

test.each(["8100", "c28100", "c3b80161", "f80161", "c1c0", "f8", "ff".repeat(9), "c0c0"])("%s is refused", (text) => {
  expect(() => decodeRlpList(hex(text))).toThrow(WireError);
});

test("integers have no leading zeros and at most 32 bytes", () => {
  expect(rlpInteger(0n)).toEqual(new Uint8Array(0));
  expect(rlpInteger(1024n)).toEqual(hex("0400"));
  expect(parseRlpInteger(hex("0400"))).toBe(1024n);
  expect(parseRlpInteger(hex("0004"))).toBeUndefined();
  expect(parseRlpInteger(new Uint8Array(33).fill(1))).toBeUndefined();
});
