import { describe, expect, test } from "vitest";
import { I64_MAX, I64_MIN } from "../../../src/protocol/codec/i64.ts";
import {
  decodeMessage,
  encodeMessage,
  type MessageOf,
  message,
  oneOf,
  optional,
  packed,
  repeated,
  scalar,
} from "../../../src/protocol/codec/protobuf.ts";
import { protobufErrors } from "../../../src/protocol/codec/protobuf-errors.ts";
import { WireError } from "../../../src/protocol/errors.ts";

const amount = message("Amount", { assetId: scalar(1, "bytes"), amount: scalar(2, "int64") });
const sample = message("Sample", {
  // Declared out of order on purpose: the encoding is ordered by field number.
  votes: packed(6, "uint32", 5),
  chainId: scalar(1, "int32"),
  fee: optional(2, amount),
  name: scalar(3, "string"),
  alive: scalar(4, "bool"),
  proofs: repeated(5, "bytes", 3),
  key: oneOf("who", 7, "bytes"),
  alias: oneOf("who", 8, "string"),
  inner: oneOf("who", 9, amount),
  mode: scalar(16, "enum"),
});
type Sample = MessageOf<typeof sample>;

const empty: Sample = {
  votes: [],
  chainId: 0,
  fee: undefined,
  name: "",
  alive: false,
  proofs: [],
  key: undefined,
  alias: undefined,
  inner: undefined,
  mode: 0,
};

function hexOf(value: Partial<Sample>): string {
  return Buffer.from(encodeMessage(sample, { ...empty, ...value })).toString("hex");
}
function read(hex: string): Sample {
  return decodeMessage(sample, Uint8Array.from(Buffer.from(hex, "hex")));
}
function errorOf(hex: string): WireError {
  try {
    read(hex);
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error("decoded");
}

describe("encoding", () => {
  test("leaves out default values and empty lists", () => {
    expect(hexOf({})).toBe("");
  });

  test("writes ascending field numbers, packed lists under one tag, repeated byte strings under one tag each", () => {
    expect(hexOf({ mode: 2, votes: [1, 300], proofs: [Uint8Array.of(1), new Uint8Array(0)], chainId: 82 })).toBe(
      "08522a01012a0032030" + "1ac028001" + "02",
    );
  });

  test("writes a chosen member also when it has its default value", () => {
    expect(hexOf({ alias: "" })).toBe("4200");
    expect(hexOf({ inner: { assetId: new Uint8Array(0), amount: 0n } })).toBe("4a00");
  });

  test("writes negative numbers in ten bytes", () => {
    expect(hexOf({ chainId: -1 })).toBe("08ffffffffffffffffff01");
    expect(hexOf({ fee: { assetId: new Uint8Array(0), amount: I64_MIN } })).toBe("120b1080808080808080808001");
  });

  test("writes lengths of more than one byte", () => {
    const name = "n".repeat(20_000);
    expect(read(hexOf({ name, fee: { assetId: new Uint8Array(300), amount: 1n } }))).toMatchObject({
      name,
      fee: { amount: 1n },
    });
  });
});

describe("decoding", () => {
  test.each([0n, 1n, 127n, 128n, 2n ** 28n, 2n ** 53n, 2n ** 56n, I64_MAX, I64_MIN, -1n, -(2n ** 53n) - 1n])(
    "reads back the 64-bit integer %s",
    (value) => {
      expect(read(hexOf({ fee: { assetId: new Uint8Array(0), amount: value } })).fee?.amount).toBe(value);
    },
  );

  test("gives every member, absent ones with their default", () => {
    expect(read("")).toEqual(empty);
  });

  test("takes fields in any order, the last of scalars, and packed lists in pieces or unpacked", () => {
    expect(read("30010852320203040853")).toMatchObject({ chainId: 83, votes: [1, 3, 4] });
  });

  test("merges a message that occurs twice", () => {
    expect(read("12030a010912021005").fee).toEqual({ assetId: Uint8Array.of(9), amount: 5n });
  });

  test("merges a message as if its later form were encoded again: explicit defaults change nothing", () => {
    const merged = { assetId: Uint8Array.of(9), amount: 5n };
    expect(read("12050a01091005" + "12040a001000").fee).toEqual(merged);
    expect(read("4a050a01091005" + "4a040a001000").inner).toEqual(merged);
    expect(read("4a050a01091005" + "4a00").inner).toEqual(merged);
    expect(read("4a050a01091005" + "420161" + "4a00").inner).toEqual({ assetId: new Uint8Array(0), amount: 0n });
  });

  test("keeps the last member of a group", () => {
    expect(read("3a01014202" + "6162")).toMatchObject({ key: undefined, alias: "ab" });
  });

  test("skips unknown fields of every wire type, and known ones of another wire type", () => {
    expect(read("a00601" + "a1060000000000000000" + "a2060101" + "a50600000000" + "0a0100" + "0852")).toMatchObject({
      chainId: 82,
    });
  });

  test("refuses unknown fields where the type says so", () => {
    const strict = message("Strict", { one: scalar(1, "int32") }, { unknown: "refuse" });
    expect(() => decodeMessage(strict, Uint8Array.of(0x10, 1))).toThrow("Strict at byte 0: unknown field 2");
  });

  test("refuses unknown fields of a message that was kept, wherever it stands, not of one that another replaced", () => {
    const strict = message("Strict", { one: scalar(1, "int32") }, { unknown: "refuse" });
    const outer = message("Outer", {
      first: oneOf("which", 1, strict),
      second: oneOf("which", 2, strict),
      all: repeated(3, strict),
    });
    const decode = (hex: string) => decodeMessage(outer, Uint8Array.from(Buffer.from(hex, "hex")));
    expect(decode("0a02100112020805")).toMatchObject({ first: undefined, second: { one: 5 } });
    expect(() => decode("120208050a021001")).toThrow("Outer.first at byte 6: unknown field 2");
    // Repeated occurrences are merged, including the unknown field.
    expect(() => decode("0a0210010a020805")).toThrow("Outer.first at byte 2: unknown field 2");
    expect(() => decode("1a0208011a021001")).toThrow("Outer.all at byte 6: unknown field 2");
  });

  test("cuts numbers as protobuf runtimes do", () => {
    expect(read("088080808010").chainId).toBe(0);
    expect(read("08ffffffff0f").chainId).toBe(-1);
    expect(read("32" + "05ffffffff0f").votes).toEqual([0xffff_ffff]);
    expect(read("20808001").alive).toBe(true);
  });

  test("refuses what is cut off, too long or malformed, and says where", () => {
    expect(errorOf("08")).toMatchObject({ field: "Sample.chainId", offset: 1 });
    expect(errorOf("120510")).toMatchObject({ field: "Sample.fee", reason: protobufErrors.truncated });
    expect(errorOf("12ffffffff0f")).toMatchObject({ reason: protobufErrors.negativeSize });
    expect(errorOf("08ffffffffffffffffffff01")).toMatchObject({ reason: protobufErrors.malformedVarint });
    expect(errorOf("1a02c328")).toMatchObject({ field: "Sample.name", offset: 2, reason: protobufErrors.invalidUtf8 });
    expect(errorOf("0001")).toMatchObject({ reason: protobufErrors.invalidTag });
    expect(errorOf("0b")).toMatchObject({ reason: `${protobufErrors.invalidWireType}: 3` });
  });

  test("refuses more elements than a list may have", () => {
    expect(errorOf("2a002a002a002a00")).toMatchObject({ field: "Sample.proofs", reason: "more than 3" });
    expect(errorOf("3206010101010101")).toMatchObject({ field: "Sample.votes", reason: "more than 5" });
  });

  test("counts lists in a message that was kept, whatever was merged in it, not in one that another replaced", () => {
    const list = message("List", { items: repeated(1, "int32", 2), inner: optional(2, sample) });
    const outer = message("Outer", { first: oneOf("one", 1, list), second: oneOf("one", 2, list) });
    const decode = (hex: string) => decodeMessage(outer, Uint8Array.from(Buffer.from(hex, "hex")));
    const second = { items: [9], inner: undefined };
    const [three, two, nine] = ["0a06080108020803", "0a0408010802", "12020809"];
    for (const first of [three, two + two, `0a0a12082a002a002a002a00`]) {
      expect(decode(first + nine)).toEqual({ first: undefined, second });
      expect(() => decode(first)).toThrow(/^Outer.first.(items|inner.proofs) at byte \d+: more than [23]$/);
      expect(() => decode(nine + first)).toThrow(WireError);
    }
    expect(() => decode("0a03080108")).toThrow(WireError);
  });
});
