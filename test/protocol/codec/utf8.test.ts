import { expect, test } from "vitest";
import { utf8Bytes, utf8SizeBytes, utf8TextWithReplacements, withoutHalves } from "../../../src/protocol/codec/utf8.ts";

// Results of OpenJDK 17 for the same bytes.
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

// Results of OpenJDK 17 for the same text, and of protobuf-java for a string field.
test.each([
  ["a first half", "\ud83d", "3f"],
  ["a second half", "\ude00", "3f"],
  ["halves in the wrong order", "\ude00\ud83d", "3f3f"],
  ["a half between letters", "a\ud83db", "613f62"],
  ["a half before a whole pair", "\ud83d😀", "3ff09f9880"],
  ["a whole pair", "😀", "f09f9880"],
  ["text without any", "äb", "c3a462"],
])("%s as bytes, in its size and as text", (_, text, hex) => {
  expect(Buffer.from(utf8Bytes(text)).toString("hex")).toBe(hex);
  expect(utf8SizeBytes(text)).toBe(hex.length / 2);
  expect(withoutHalves(text)).toBe(Buffer.from(hex, "hex").toString());
});
