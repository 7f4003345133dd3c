import { expect, test } from "vitest";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import { secureHash } from "../../../src/crypto/hash.ts";
import { WireError } from "../../../src/protocol/faults.ts";
import { FormatError } from "../../../src/protocol/transactions/format-faults.ts";
import { callableTypes, MetaError } from "../../../src/ride/script/dapp-meta.ts";
import type { Expression, Script } from "../../../src/ride/script/expression.ts";
import { encodeScript, parseScript } from "../../../src/ride/script/script-bytes.ts";
import { List } from "../../../src/ride/values/value.ts";
import { recordedLines } from "../../recorded-lines.ts";

interface Exchange {
  readonly body?: string;
  readonly response: string;
}

/** Everything in the recording that may be a script. */
function recordedScripts(): Uint8Array[] {
  const texts = new Set<string>();
  for (const { body = "", response } of recordedLines<Exchange>("private-a/requests.jsonl.gz")) {
    for (const match of `${body} ${response}`.matchAll(/base64:([A-Za-z0-9+/]{12,}={0,2})/g)) {
      texts.add(match[1] as string);
    }
  }
  // An address begins and ends as a script of version 1 does.
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

test("bytes behind an expression are refused", () => {
  expect(() => parseScript(withChecksum(3, 6, 6))).toThrow("1 bytes left");
});

test("a count that the bytes cannot hold is refused without making room for it", () => {
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
