import { expect, test } from "vitest";
import { utf8TextWithReplacements } from "../../../src/protocol/codec/utf8.ts";

// What OpenJDK 17 makes of the same bytes.
test.each([
  ["a surrogate counts once", "eda080", "\ufffd"],
  ["a surrogate without its third byte counts once", "66eda9dcc9e3296f", "f\ufffd\ufffd\ufffd\ufffd)o"],
  ["a surrogate at the end counts once", "41edbf", "A\ufffd"],
  ["two surrogates count twice", "eda080edb080", "\ufffd\ufffd"],
  ["a character below the surrogates stays", "ed9fbf", "\ud7ff"],
  ["an overlong form counts once for each byte", "e08080", "\ufffd\ufffd\ufffd"],
  ["an unfinished character counts once", "f0908041", "\ufffdA"],
  ["well-formed text stays as it is", "c3a4f09f9880", "ä😀"],
])("%s", (_, hex, text) => {
  expect(utf8TextWithReplacements(Buffer.from(hex, "hex"))).toBe(text);
});
