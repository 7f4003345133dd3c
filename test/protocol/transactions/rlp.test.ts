import * as fc from "fast-check";
import { expect, test } from "vitest";
import { WireError } from "../../../src/protocol/errors.ts";
import { decodeRlp, encodeRlpList, parseRlpInteger, rlpInteger } from "../../../src/protocol/transactions/rlp.ts";

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
      expect(decodeRlp(encodeRlpList(list))).toEqual([list]);
    }),
  );
});

test("what is wrong is said of the Ethereum transaction", () => {
  expect(() => decodeRlp(hex("c883"))).toThrow("ethereum at byte 1: a list that is too long or too deep");
});

test("whatever the bytes, they are read or refused with a typed error", () => {
  const noise = fc.uint8Array({ maxLength: 80 });
  const lists = fc
    .array(fc.integer({ min: 0xb0, max: 0xff }), { maxLength: 80 })
    .map((bytes) => Uint8Array.from(bytes));
  const counts = { read: 0, refused: 0 };
  void fc.assert(
    fc.property(fc.oneof(noise, lists), (bytes) => {
      try {
        decodeRlp(bytes);
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

test.each([
  ["a size in more bytes than it needs", "b80161", [hex("61")]],
  ["a string of one byte behind its size", "8100", [hex("00")]],
  ["a list's size in more bytes than it needs", "f80161", [[hex("61")]]],
  ["several items, lists within lists", "c2c16180", [[[hex("61")]], hex("")]],
  ["a list within a list that reaches beyond it", "c1c26162", [[[hex("61"), hex("62")]], hex("61"), hex("62")]],
  ["a size of eight bytes, of which four wrap around", "bf000000010000000161", undefined],
  ["the same, where they add up", "bf000000000000000161", [hex("61")]],
])("%s: %s", (_, text, expected) => {
  if (expected === undefined) expect(() => decodeRlp(hex(text))).toThrow(WireError);
  else expect(decodeRlp(hex(text))).toEqual(expected);
});

test.each(["81", "c281", "c2b80161", "f8", "fb80000000", "ff".repeat(9), "b9ffff61"])("%s is refused", (text) => {
  expect(() => decodeRlp(hex(text))).toThrow(WireError);
});

test("lists that overlap are not read again and again, and those too deep are refused", () => {
  // Each list contains one that declares more bytes than it has, up to the end.
  const overlapping = Uint8Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? 0xc1 : 0xc0 + 58 - index));
  expect(() => decodeRlp(overlapping)).toThrow(WireError);
  const deep = [...Array(3000)].reduce((inner: Uint8Array) => encodeList(inner), hex("c0"));
  expect(() => decodeRlp(deep)).toThrow(WireError);
});

function encodeList(inner: Uint8Array): Uint8Array {
  if (inner.length <= 55) return Uint8Array.of(0xc0 + inner.length, ...inner);
  return Uint8Array.of(0xf9, inner.length >> 8, inner.length & 0xff, ...inner);
}

test("integers are written without leading zeros and read with them", () => {
  expect(rlpInteger(0n)).toEqual(new Uint8Array(0));
  expect(rlpInteger(1024n)).toEqual(hex("0400"));
  expect(parseRlpInteger(hex("0400"))).toBe(1024n);
  expect(parseRlpInteger(hex("0004"))).toBe(4n);
});

test("of a list the first sixteen items are kept, and all are read", () => {
  const list = (items: readonly Uint8Array[]) => encodeRlpList(items);
  const many = Array.from({ length: 300_000 }, () => Uint8Array.of(1));
  expect(decodeRlp(list(many))).toEqual([many.slice(0, 16)]);
  // The declared length of its last item exceeds the remaining bytes.
  const broken = list(many).with(-1, 0x82);
  expect(() => decodeRlp(broken)).toThrow(WireError);
});
