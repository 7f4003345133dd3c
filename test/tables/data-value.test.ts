import { expect, test } from "vitest";
import { dataValue } from "../../src/tables/data-value.ts";

test.each([
  ["an integer", { type: "integer", value: -5n }],
  ["a boolean", { type: "boolean", value: true }],
  ["bytes", { type: "binary", value: Uint8Array.of(0, 255) }],
  ["a string", { type: "string", value: "ä😀" }],
  ["an empty string", { type: "string", value: "" }],
  ["a string with halves of surrogate pairs", { type: "string", value: "\ud83dä\ude00\ud83d😀" }],
] as const)("%s is read back as it was written", (_, value) => {
  expect(dataValue.decode?.(dataValue.encode?.(value) as Uint8Array)).toEqual(value);
});
