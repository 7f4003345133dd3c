/** For any bytes, a decoder returns a value or throws a WireError. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  boolean,
  bytesWithLength,
  decode,
  encode,
  i32,
  i64,
  list,
  option,
  struct,
} from "../../../src/protocol/codec/codec.ts";
import {
  decodeMessage,
  encodeMessage,
  message,
  oneOf,
  optional,
  packed,
  repeated,
  scalar,
} from "../../../src/protocol/codec/protobuf.ts";
import { WireError } from "../../../src/protocol/errors.ts";

const inner = message("Inner", { id: scalar(1, "bytes"), amount: scalar(2, "int64") });
const type = message("Outer", {
  number: scalar(1, "int32"),
  inner: optional(2, inner),
  texts: repeated(3, "string"),
  votes: packed(4, "uint32"),
  choice: oneOf("choice", 5, inner),
  flag: oneOf("choice", 6, "bool"),
});
const codec = struct({
  amount: i64,
  parent: option(bytesWithLength(i32)),
  items: list(i32, struct({ flag: boolean })),
});

const bytes = fc.uint8Array({ maxLength: 64 });
const innerValue = fc.record({ id: bytes, amount: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) });
const outerValue = fc
  .record({
    number: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    inner: fc.option(innerValue, { nil: undefined }),
    texts: fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 }),
    votes: fc.array(fc.nat(0xffff_ffff), { maxLength: 4 }),
    pick: fc.constantFrom("choice", "flag", "none"),
    choice: innerValue,
    flag: fc.boolean(),
  })
  .map(({ pick, choice, flag, ...rest }) => ({
    ...rest,
    choice: pick === "choice" ? choice : undefined,
    flag: pick === "flag" ? flag : undefined,
  }));

function isTyped(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    return error instanceof WireError;
  }
}

test("a message is read back as it was written, and written again to the same bytes", () => {
  void fc.assert(
    fc.property(outerValue, (value) => {
      const written = encodeMessage(type, value);
      const read = decodeMessage(type, written);
      expect(read).toEqual(value);
      expect(encodeMessage(type, read)).toEqual(written);
    }),
  );
});

test("any bytes and any damage to a message give a value or a WireError", () => {
  const damage = fc.tuple(fc.nat(), fc.nat(255), fc.nat(4));
  void fc.assert(
    fc.property(outerValue, fc.array(damage, { minLength: 1, maxLength: 4 }), bytes, (value, damages, noise) => {
      const written = encodeMessage(type, value);
      for (const [at, byte] of damages) if (written.length > 0) written[at % written.length] = byte;
      const cut = written.subarray(0, written.length - (damages[0]?.[2] ?? 0));
      for (const input of [written, cut, noise]) {
        expect(isTyped(() => decodeMessage(type, input))).toBe(true);
        expect(isTyped(() => decode(codec, input))).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a structure is read back as it was written", () => {
  const value = fc.record({
    amount: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    parent: fc.option(bytes),
    items: fc.array(fc.record({ flag: fc.boolean() })),
  });
  void fc.assert(
    fc.property(value, (each) => {
      expect(decode(codec, encode(codec, each))).toEqual(each);
    }),
  );
});
