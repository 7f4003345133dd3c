/** Texts as the reference decodes them: responses of its hash route. */
import { describe, expect, test } from "vitest";
import { textDecoderFor } from "../../src/http/charset.ts";

const bytes = new TextEncoder().encode('"привет"');
const read = (contentType: string | null) => textDecoderFor(contentType)?.(bytes);

describe("a body of text", () => {
  test.each([
    [null, '"привет"'],
    ["text/plain", '"привет"'],
    ["text/plain; charset=utf-8", '"привет"'],
    ["text/plain; charset=utf-16", "⋐뿑胐룐닐뗑舢"],
    ["text/plain; Charset=utf-16; a=b", "⋐뿑胐룐닐뗑舢"],
    ['text/plain;charset="UTF-16LE"', "퀢톿킀킸킲통⊂"],
    ["text/plain; charset=windows-1251", '"РїСЂРёРІРµС‚"'],
    ["text/html; charset=koi8-r", '"п©я─п╦п╡п╣я┌"'],
    ["text/plain; charset=us-ascii", `"${"\ufffd".repeat(12)}"`],
    ["text/plain; charset=iso-8859-1", String.fromCharCode(...bytes)],
    ["text/plain; charset=", '"привет"'],
    ["nonsense; charset=utf-16", '"привет"'],
    ["application/json; charset=utf-16", '"привет"'],
    ["image/png; charset=utf-16", '"привет"'],
  ])("of type %s reads %j", (contentType, text) => {
    expect(read(contentType)).toBe(text);
  });

  test("in a charset that does not exist is none", () => {
    expect(read("text/plain; charset=nonsense")).toBeUndefined();
  });

  test.each([
    ["windows-1251", [0x97, 0x98, 0x99], "—\ufffd™"],
    ["cp1252", [0x80, 0x81, 0x82], "€\ufffd‚"],
    ["windows-1256", [0x80, 0x81, 0x82], "€پ‚"],
    ["iso-8859-2", [0x97, 0x98, 0xa1], "\u0097\u0098Ą"],
  ])("in %s has no characters for bytes that stand for none there", (charset, given, text) => {
    expect(textDecoderFor(`text/plain; charset=${charset}`)?.(new Uint8Array(given))).toBe(text);
  });

  test("may begin with a mark that says the order of its bytes", () => {
    const decode = textDecoderFor("text/plain; charset=utf-16");
    expect(decode?.(new Uint8Array([0xff, 0xfe, 0x41, 0]))).toBe("A");
    expect(decode?.(new Uint8Array([0xfe, 0xff, 0, 0x41]))).toBe("A");
  });
});
