import { describe, expect, test } from "vitest";
import {
  boolean,
  bytes,
  bytesWithLength,
  type Codec,
  decode,
  encode,
  exact,
  i16,
  i32,
  i64,
  list,
  literal,
  mapped,
  option,
  sized,
  struct,
  u8,
} from "../../../src/protocol/codec/codec.ts";
import { WireError } from "../../../src/protocol/errors.ts";

const sample = struct({
  head: literal(4, 2),
  amount: i64,
  owner: bytes(2),
  note: bytesWithLength(i16, 4),
  parent: option(bytes(1)),
  items: list(i16, struct({ flag: boolean, count: i32 })),
  inner: sized(i32, struct({ first: u8, rest: bytes(2) })),
});
const value = {
  amount: -2n,
  owner: Uint8Array.of(1, 2),
  note: Uint8Array.of(9),
  parent: null,
  items: [
    { flag: true, count: -1 },
    { flag: false, count: 7 },
  ],
  inner: { first: 5, rest: Uint8Array.of(6, 7) },
};

function errorOf(codec: Codec<unknown>, hex: string): WireError {
  try {
    decode(codec, Uint8Array.from(Buffer.from(hex, "hex")));
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error("decoded");
}

describe("a structure", () => {
  test("is written field by field and read back to the same value", () => {
    const written = encode(sample, value);
    expect(Buffer.from(written).toString("hex")).toBe(
      `0402${"fffffffffffffffe"}0102${"000109"}00${"0002"}01ffffffff0000000007${"00000003"}050607`,
    );
    expect(decode(sample, written)).toEqual(value);
  });

  test("has no member for literals", () => {
    expect(Object.keys(decode(sample, encode(sample, value)))).not.toContain("head");
  });

  test("names the field and the offset of what is wrong", () => {
    expect(errorOf(sample, "0402ffff")).toMatchObject({ field: "amount", offset: 2 });
    expect(errorOf(struct({ outer: sample }), "0403")).toMatchObject({ field: "outer.head", offset: 1 });
    const items = struct({ items: list(i16, struct({ flag: boolean })) });
    expect(errorOf(items, "00020002")).toMatchObject({ field: "items[1].flag", offset: 3 });
  });
});

describe("a reader refuses", () => {
  test("bytes that are left over", () => {
    expect(errorOf(u8, "0000")).toMatchObject({ reason: "1 bytes too many", offset: 1 });
  });

  test("a flag that is neither 0 nor 1", () => {
    expect(errorOf(option(u8), "02")).toMatchObject({ offset: 0, reason: "0 or 1 expected, got 2" });
  });

  test("a count or a length that the bytes cannot hold, before it allocates", () => {
    expect(errorOf(list(i32, i64), "7fffffff")).toMatchObject({ reason: "count 2147483647 with 0 bytes left" });
    expect(errorOf(list(i16, i64), "ffff")).toMatchObject({ reason: "count -1 is out of range" });
    expect(errorOf(bytesWithLength(i32), "7fffffff00")).toMatchObject({ reason: "2147483647 bytes expected, 1 left" });
    expect(errorOf(bytesWithLength(i16, 4), "0005000000000000")).toMatchObject({ reason: "length 5 is out of range" });
  });

  test("a sized value that does not fill its size", () => {
    expect(errorOf(sized(u8, u8), "020000")).toMatchObject({ reason: "1 bytes too many" });
    expect(errorOf(sized(u8, i32), "0200000000")).toMatchObject({ reason: "4 bytes expected, 2 left" });
  });
});

test("a value that is read keeps neither the message nor its later changes", () => {
  const message = Uint8Array.of(7, 8);
  const read = decode(bytes(2), message);
  message.fill(0);
  expect(read).toEqual(Uint8Array.of(7, 8));
  expect(read.buffer.byteLength).toBe(2);
});

test("writing a byte string of the wrong size is a bug of the caller", () => {
  expect(() => encode(bytes(2), Uint8Array.of(1))).toThrow(RangeError);
});

test("a mapped codec shows another value of the same bytes", () => {
  const tens = mapped(
    u8,
    (count) => count * 10,
    (count: number) => count / 10,
  );
  expect(encode(tens, 70)).toEqual(Uint8Array.of(7));
  expect(decode(tens, Uint8Array.of(7))).toBe(70);
});

test("an exact codec refuses bytes that would be written in another way", () => {
  const loose = mapped(
    u8,
    (byte) => byte === 1,
    (value: boolean) => (value ? 1 : 0),
  );
  expect(decode(loose, Uint8Array.of(7))).toBe(false);
  expect(decode(exact(loose), Uint8Array.of(0))).toBe(false);
  expect(() => decode(struct({ before: u8, flag: exact(loose) }), Uint8Array.of(1, 7))).toThrow("flag at byte 1");
});

test("a long text after a number keeps both, however often the writer grows", () => {
  const grown = list(i16, struct({ amount: i64, content: bytesWithLength(i16) }));
  const items = Array.from({ length: 40 }, (_, index) => ({
    amount: BigInt(index),
    content: new Uint8Array(index * 20),
  }));
  expect(decode(grown, encode(grown, items))).toEqual(items);
});
