/** Calls of Ethereum wallets. @source Ethereum contract ABI; Waves: transaction/EthABIConverter.scala */
import { describe, expect, it, vi } from "vitest";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { keccak256 } from "../../../src/crypto/hash.ts";
import { hexText } from "../../../src/crypto/hex.ts";
import { CallDataError, CallValueError, decodeCallData } from "../../../src/ride/abi/call-data.ts";
import { abiJson, type CallableAbi, callableAbis, findCallableAbi } from "../../../src/ride/abi/callable-abi.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { compileSource } from "../../support/builders/reference-compiler.ts";

vi.mock("../../../src/crypto/hash.ts", { spy: true });

const source = `{-# STDLIB_VERSION 6 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
@Callable(i)
func all(a: Int, b: Boolean, c: String, d: ByteVector, e: List[Int], f: List[String]) = []
@Callable(i)
func none() = []
`;
const script = parseScript(new Uint8Array(compileSource(source).result as ArrayBuffer));
const [all, none] = callableAbis(script) as unknown as readonly [CallableAbi, CallableAbi];

const word = (value: bigint | number): Uint8Array => {
  const bytes = new Uint8Array(32);
  let rest = BigInt.asUintN(256, BigInt(value));
  for (let index = 31; index >= 0; index--, rest >>= 8n) bytes[index] = Number(rest & 0xffn);
  return bytes;
};
const padded = (bytes: Uint8Array): Uint8Array =>
  concatBytes(word(bytes.length), bytes, new Uint8Array((32 - (bytes.length % 32)) % 32));
const text = (value: string) => padded(new TextEncoder().encode(value));
const callOf = (abi: CallableAbi, ...words: readonly Uint8Array[]) => concatBytes(abi.selector, ...words);
const noPayments = [word(32), word(0)];

describe("signatures of callables", () => {
  it("name the types of the arguments and the payments", () => {
    expect(all.args.map(({ type, isList }) => (isList ? `${type}[]` : type))).toEqual([
      "int64",
      "bool",
      "string",
      "bytes",
      "int64[]",
      "string[]",
    ]);
    // keccak256("none((bytes32,int64)[])")
    expect(findCallableAbi(script, none.selector)).toEqual(none);
    expect(hexText(none.selector)).toMatch(/^0x[0-9a-f]{8}$/);
    expect(findCallableAbi(script, new Uint8Array(4))).toBeUndefined();
  });
});

describe("a callable is found by its selector", () => {
  it("and a script's selectors are computed once", () => {
    const many = parseScript(
      new Uint8Array(
        compileSource(
          `${source}${Array.from({ length: 50 }, (_, n) => `@Callable(i)\nfunc f${n}(a: Int) = []\n`).join("")}`,
        ).result as ArrayBuffer,
      ),
    );
    const abis = callableAbis(many);
    expect(abis).toHaveLength(52);
    vi.mocked(keccak256).mockClear();
    for (const abi of abis) expect(findCallableAbi(many, abi.selector)).toEqual(abi);
    expect(findCallableAbi(many, new Uint8Array(4))).toBeUndefined();
    expect(findCallableAbi(many, all.selector.subarray(0, 3))).toBeUndefined();
    expect(keccak256).toHaveBeenCalledTimes(52);
    vi.mocked(keccak256).mockClear();
    expect(abiJson(many)).toHaveLength(52);
    expect(keccak256).not.toHaveBeenCalled();
  });
});

describe("the interface in JSON", () => {
  const union = `{-# STDLIB_VERSION 4 #-}
{-# CONTENT_TYPE DAPP #-}
{-# SCRIPT_TYPE ACCOUNT #-}
@Callable(i)
func either(a: Int|String) = []
@Callable(i)
func lists(flags: List[Boolean], bytes: ByteVector) = []
`;

  it("has inputs with their types and the payments, and omits arguments of several types", () => {
    const compiled = parseScript(new Uint8Array(compileSource(union).result as ArrayBuffer));
    expect(abiJson(compiled)).toEqual([
      {
        name: "lists",
        type: "function",
        constant: false,
        payable: false,
        stateMutability: "nonpayable",
        inputs: [
          { name: "flags", type: "bool[]" },
          { name: "bytes", type: "bytes" },
          {
            name: "payments",
            type: "tuple[]",
            components: [
              { name: "assetId", type: "bytes32" },
              { name: "amount", type: "int64" },
            ],
          },
        ],
        outputs: [],
      },
    ]);
  });
});

describe("call data", () => {
  it("hold arguments of every type, lists and payments", () => {
    const asset = new Uint8Array(32).fill(7);
    const c = text("hi");
    const d = padded(Uint8Array.of(1, 2, 3));
    const e = concatBytes(word(2), word(-5n), word(6));
    const f = concatBytes(word(1), word(32), text("x"));
    const g = concatBytes(word(2), new Uint8Array(32), word(9), asset, word(10));
    const tails = [c, d, e, f, g];
    const offsets: number[] = [];
    let at = 7 * 32;
    for (const tail of tails) {
      offsets.push(at);
      at += tail.length;
    }
    const data = callOf(all, word(-1n), word(1), ...offsets.map(word), ...tails);
    const decoded = decodeCallData(all, data);
    expect(decoded.args).toEqual([
      { type: "integer", value: -1n },
      { type: "boolean", value: true },
      { type: "string", value: "hi" },
      { type: "binary", value: Uint8Array.of(1, 2, 3) },
      {
        type: "list",
        value: [
          { type: "integer", value: -5n },
          { type: "integer", value: 6n },
        ],
      },
      { type: "list", value: [{ type: "string", value: "x" }] },
    ]);
    expect(decoded.payments).toEqual([
      { asset: null, amount: 9n },
      { asset, amount: 10n },
    ]);
    expect(decoded.canonicalBytes).toBe(data.length - 4);
  });

  it("end with the last field that is read", () => {
    expect(() => decodeCallData(none, callOf(none, ...noPayments, new Uint8Array(32)))).toThrow(
      "unconsumed bytes: 32 remaining",
    );
  });

  it("may have gaps: the consumed length is reported", () => {
    const data = callOf(none, word(64), word(0), word(0));
    expect(decodeCallData(none, data).canonicalBytes).toBe(data.length - 4 - 32);
  });

  it("have the length of their texts as rewritten, each invalid UTF-8 byte as three", () => {
    const headsBytes = 7 * 32;
    const callWith = (content: Uint8Array) => {
      const behind = headsBytes + padded(content).length;
      const empty = [0, 1, 2, 3];
      const heads = [word(1), word(1), word(headsBytes), ...empty.map((index) => word(behind + 32 * index))];
      return callOf(all, ...heads, padded(content), ...empty.map(() => word(0)));
    };
    const lengthOf = (content: Uint8Array) => {
      const data = callWith(content);
      return decodeCallData(all, data).canonicalBytes - (data.length - 4);
    };
    expect(lengthOf(new Uint8Array(11).fill(0x61))).toBe(0);
    expect(lengthOf(new Uint8Array(10).fill(0xff))).toBe(0);
    expect(lengthOf(new Uint8Array(11).fill(0xff))).toBe(32);
  });

  it.each([
    ["nothing", []],
    ["an offset beyond the data", [word(320)]],
    ["an offset that no number holds", [word(1n << 200n)]],
    ["a list longer than the data", [word(32), word(1_000_000)]],
    ["an amount of more than 64 bits", [word(32), word(1), word(0), word(1n << 64n)]],
  ])("with %s are refused", (_, words) => {
    expect(() => decodeCallData(none, callOf(none, ...words))).toThrow(CallDataError);
  });

  it("are read to their end before a value counts that is invalid in scripts", () => {
    const bytes = new Uint8Array(32_768);
    const [d, empty] = [padded(bytes), word(0)];
    const behind = 7 * 32 + d.length;
    const heads = [word(0), word(0), word(behind), word(7 * 32), ...[1, 2, 3].map((at) => word(behind + 32 * at))];
    const data = callOf(all, ...heads, d, empty, empty, empty, empty);
    expect(() => decodeCallData(all, data)).toThrow(new CallValueError("ByteStr size=32768 exceeds 32767 bytes"));
    expect(() => decodeCallData(all, concatBytes(data, empty))).toThrow(CallDataError);
  });
});

describe("a callable whose calls the library cannot read", () => {
  const int = { name: "a", type: "int64", isList: false } as const;
  const data = (name: string, count: number) => {
    const abi: CallableAbi = { name, args: Array.from({ length: count }, () => int), selector: new Uint8Array(4) };
    const call = callOf(abi, ...abi.args.map(() => word(7)), word(32 * (count + 1)), word(0));
    return () => decodeCallData(abi, call).args.length;
  };

  it.each(["", "a b", "a)", "a,b", "a\0", "1", "~", "\x7f"])("has not the name %j", (name) => {
    expect(data(name, 1)()).toBe(1);
  });

  it.each([
    ["é", 1, "illegal char 0xe9 'é' @ index 0"],
    ["f\x80", 1, "illegal char 0x80 '\x80' @ index 1"],
    ["a(", 1, 'unrecognized type: "((int64,(bytes32,int64)[])"'],
    ["f", 331, "type length exceeds maximum: 2005 > 2000"],
  ])("has a name like %s or too many parameters: %d", (name, count, message) => {
    expect(data(name, count)).toThrow(new CallDataError(message));
  });

  it("may have types of 2,000 characters in parentheses", () => expect(data("f", 330)()).toBe(330));
});
