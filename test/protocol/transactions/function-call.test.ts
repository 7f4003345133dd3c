import { expect, test } from "vitest";
import type { ParsedJson } from "../../../src/protocol/parse-json.ts";
import { evaluatedCallRequest, functionCallRequest } from "../../../src/protocol/transactions/function-call.ts";
import { refuse } from "../../../src/protocol/transactions/json-reader.ts";

const half = "\ud83d";

function callWith(value: ParsedJson): ParsedJson {
  return { function: "f", args: [{ type: "string", value }] };
}

test("half of a surrogate pair is a question mark in a call that is sent, and stays in one that is only asked about", () => {
  expect(functionCallRequest(callWith(`a${half}`))).toMatchObject({ args: [{ value: "a?" }] });
  expect(evaluatedCallRequest(callWith(`a${half}`))).toMatchObject({ args: [{ value: `a${half}` }] });
});

test("half of a surrogate pair counts as one byte", () => {
  expect(evaluatedCallRequest(callWith(half.repeat(32_767)))).toMatchObject({ function: "f" });
  expect(evaluatedCallRequest(callWith(half.repeat(32_768)))).toEqual(refuse("String size=32768 exceeds 32767 bytes"));
});
