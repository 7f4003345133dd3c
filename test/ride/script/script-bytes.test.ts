import { expect, test } from "vitest";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { secureHash } from "../../../src/crypto/hash.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { callableTypes, MetaError } from "../../../src/ride/script/dapp-meta.ts";
import type { Expression, Script } from "../../../src/ride/script/expression.ts";
import { encodeScript, parseScript } from "../../../src/ride/script/script-bytes.ts";
import { List } from "../../../src/ride/values/value.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

interface Exchange {
  readonly body?: string;
  readonly response: string;
}

/** All texts in the recording that may be a script. */
function recordedScripts(): Uint8Array[] {
  const texts = new Set<string>();
  for (const { body = "", response } of recordedLines<Exchange>("private-a/requests.jsonl.gz")) {
    for (const match of `${body} ${response}`.matchAll(/base64:([A-Za-z0-9+/]{12,}={0,2})/g)) {
      texts.add(match[1] as string);
    }
  }
  // An address has the same start and end as a script of version 1.
  return [...texts].map((text) => new Uint8Array(Buffer.from(text, "base64"))).filter(({ length }) => length !== 26);
}

function withChecksum(...code: number[]): Uint8Array {
  const bytes = Uint8Array.from(code);
  return Uint8Array.from([...bytes, ...secureHash(bytes).subarray(0, 4)]);
}

function parsed(bytes: Uint8Array): Script | undefined {
  try {
    return parseScript(bytes);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

test("every recorded script is written as it was read, in each version and content", () => {
  const kinds = new Set<string>();
  const counts = { scripts: 0, others: 0 };
  for (const bytes of recordedScripts()) {
    const script = parsed(bytes);
    counts[script === undefined ? "others" : "scripts"]++;
    if (script === undefined) continue;
    kinds.add(`${script.content} ${script.libraryVersion}`);
    expect(equalBytes(encodeScript(script), bytes)).toBe(true);
    if (script.content === "dApp") {
      const types = callableTypes(script.dApp.meta);
      const counts = script.dApp.callables.map(({ function: { parameters } }) => parameters.length);
      if (types !== undefined) expect(types.map((ofCallable) => ofCallable.length)).toEqual(counts);
    }
  }
  expect(counts).toEqual({ scripts: 53, others: 143 });
  expect([...kinds].sort()).toEqual([
    "dApp 3",
    "dApp 4",
    "dApp 5",
    "dApp 6",
    "dApp 7",
    "dApp 8",
    ...[1, 2, 3, 4, 5, 6].map((version) => `expression ${version}`),
  ]);
});

test("every cut and every changed byte of a script is a typed error or another script", () => {
  const bytes = recordedScripts().find((script) => parsed(script)?.content === "dApp") as Uint8Array;
  const code = bytes.subarray(0, -4);
  for (let index = 1; index < Math.min(code.length, 150); index++) {
    const cut = code.subarray(0, index);
    const changed = code.slice();
    changed[index] = (changed[index] as number) ^ 0x55;
    for (const broken of [cut, changed]) {
      try {
        parseScript(withChecksum(...broken));
      } catch (error) {
        expect(error instanceof WireError || error instanceof FormatError, String(error)).toBe(true);
      }
    }
  }
});

test("a checksum that is not the code's is refused", () => {
  const bytes = withChecksum(1, 6);
  bytes[2] = (bytes[2] as number) ^ 1;
  expect(() => parseScript(bytes)).toThrow(FormatError);
});

test("bytes after an expression are refused", () => {
  expect(() => parseScript(withChecksum(3, 6, 6))).toThrow("1 bytes left");
});

test("a count that exceeds the bytes is refused without allocating for it", () => {
  expect(() => parseScript(withChecksum(3, 11, 0x7f, 0xff, 0xff, 0xff))).toThrow("too big");
  expect(() => parseScript(withChecksum(6, 1, 11, 0xff, 0xff, 0xff, 0xff, 0x07))).toThrow(WireError);
});

test("byte vectors and strings longer than a data entry's value are no constants", () => {
  const text = new Array<number>(32_768).fill(0x61);
  expect(() => parseScript(withChecksum(3, 2, 0, 0, 0x80, 0, ...text))).toThrow(
    "String size=32768 exceeds 32767 bytes",
  );
  expect(() => parseScript(withChecksum(3, 1, 0, 0, 0x80, 0, ...text))).toThrow(
    "ByteStr size=32768 exceeds 32767 bytes",
  );
});

test("lists hold constants only", () => {
  expect(() => parseScript(withChecksum(6, 1, 11, 1, 5, 1, 0x61))).toThrow("Unsupported array element");
});

test("trees nest as deep as their bytes allow", () => {
  const depth = 100_000;
  let expression: Expression = { kind: "constant", value: true };
  for (let level = 0; level < depth; level++) expression = { kind: "getter", object: expression, field: "" };
  const bytes = encodeScript({ content: "expression", libraryVersion: 6, expression });
  expect(equalBytes(encodeScript(parseScript(bytes)), bytes)).toBe(true);
});

test("lists of lists are read and written", () => {
  const value = new List([new List([1n, true]), new List([])]);
  for (const libraryVersion of [3, 8]) {
    const script: Script = { content: "expression", libraryVersion, expression: { kind: "constant", value } };
    expect(parseScript(encodeScript(script))).toEqual(script);
  }
});

test("the types of a callable's arguments are bits: four types, and one for a list of them", () => {
  const meta = (version: number, ...types: number[]) =>
    callableTypes({ version, functions: [{ types: Uint8Array.from(types) }], compactNames: [], originalNames: [] });
  expect(meta(0, 1)).toBeUndefined();
  expect(meta(1, 1, 10)).toEqual([
    [
      { types: ["Int"], isList: false },
      { types: ["ByteVector", "String"], isList: false },
    ],
  ]);
  expect(meta(2, 0x18)).toEqual([[{ types: ["String"], isList: true }]]);
  expect(() => meta(1, 0x18)).toThrow(MetaError);
  expect(() => meta(2, 0x80)).toThrow("Unexpected negative index=-128");
  expect(() => meta(1, 0)).toThrow("Unexpected callable func arg type absence");
  expect(() => meta(3, 1)).toThrow("Unsupported meta version 3");
});

const truncated =
  "While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.";

test.each([
  ["a kind of expression that there is not", [1, 15], "15 (of class java.lang.Byte)"],
  ["the same in version 6", [6, 1, 200], "-56 (of class java.lang.Byte)"],
  ["code that ends in a number", [1, 0, 1], "null"],
  ["the same in version 6", [6, 1, 0], truncated],
  ["a string that is longer than the code", [3, 2, 0, 0, 1, 0], "Invalid array size (256)"],
  ["a string that is longer than the remaining bytes", [3, 2, 0, 0, 0, 4, 65], "null"],
  [
    "a string with a size below zero in version 6",
    [6, 1, 2, 255, 255, 255, 255, 15],
    /which claimed to have negative size\.$/,
  ],
  ["a number without end in version 6", [6, 1, 0, ...new Array(10).fill(255), 1], /encountered a malformed varint\.$/],
  ["more arguments than bytes", [3, 9, 0, 0, 1, 0, 0, 0, 9], "At position 8 array of arguments too big."],
  ["a list of an invalid value", [6, 1, 11, 9, 5, 1, 65], "Unsupported array element: REF(A)"],
  ["bytes after the expression", [3, 6, 1, 2], "2 bytes left"],
  ["a dApp that ends in its meta", [0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 9, 8], "java.nio.BufferUnderflowException"],
  ["a meta with a field 0", [6, 2, 2, 0, 1], "Protocol message contained an invalid tag (zero)."],
  ["a meta with a group", [6, 2, 2, 11, 1], "Protocol message tag had invalid wire type: 3"],
  ["a callable that is no function", [6, 2, 0, 0, 1, 1, 65, 0], "At position 5 invalid type 0 for function"],
  ["a verifier that may be there", [6, 2, 0, 0, 0, 2], "At position 4 unknown option flag value"],
])("%s is reported with the reference's message", (_, code, reason) => {
  expect(() => parseScript(withChecksum(...code))).toThrow(
    expect.objectContaining({
      name: "WireError",
      reason: typeof reason === "string" ? reason : expect.stringMatching(reason),
    }),
  );
});
