import { describe, expect, it } from "vitest";
import { encodeBase64, encodePrefixedBase64, parseBase64 } from "../../src/crypto/base64.ts";
import { bytesOfHex, hexOf } from "../support/fixtures/hex.ts";

describe("base64", () => {
  // RFC 4648, section 10.
  it.each([
    ["", ""],
    ["f", "Zg=="],
    ["fo", "Zm8="],
    ["foo", "Zm9v"],
    ["foob", "Zm9vYg=="],
    ["fooba", "Zm9vYmE="],
    ["foobar", "Zm9vYmFy"],
  ])("prints '%s' as '%s' and reads it back, with and without prefix", (text, encoded) => {
    const bytes = new TextEncoder().encode(text);
    expect(encodeBase64(bytes)).toBe(encoded);
    expect(encodePrefixedBase64(bytes)).toBe(`base64:${encoded}`);
    expect(parseBase64(encoded)).toEqual(new Uint8Array(bytes));
    expect(parseBase64(`base64:${encoded}`)).toEqual(new Uint8Array(bytes));
  });

  it("prints views of larger buffers", () => {
    expect(encodeBase64(bytesOfHex("000000001083000000").subarray(3, 6))).toBe("ABCD");
  });

  it.each([
    ["AB", "00"],
    ["AC", "00"],
    ["ABC", "0010"],
    ["ABCDEF", "00108310"],
    ["AB+/", "001fbf"],
  ])("reads '%s' without padding or with unused bits as the JVM does", (encoded, hex) => {
    const bytes = parseBase64(encoded);
    expect(bytes instanceof Uint8Array && hexOf(bytes)).toBe(hex);
  });

  it.each(["A", "A=", "A==", "A===", "AB=", "AB===", "ABC==", "ABCD=", "ABCD==", "ABCDE", "=", "==", "===="])(
    "refuses the ending of '%s'",
    (encoded) => {
      const digits = encoded.replaceAll("=", "").length;
      expect(parseBase64(encoded)).toEqual({ code: "base64WrongEnding", digits, padding: encoded.length - digits });
    },
  );

  it("refuses anything after the padding", () => {
    expect(parseBase64("AB==CD==")).toEqual({ code: "base64WrongEnding", digits: 2, padding: 6 });
    expect(parseBase64("AB=C")).toEqual({ code: "base64WrongEnding", digits: 2, padding: 2 });
  });

  it.each([
    ["AB-_", "-", 2],
    ["ABCD\n", "\n", 4],
    [" ABCD", " ", 0],
    ["ABéD", "é", 2],
    ["base64:base64:ABCD", ":", 6],
  ])("refuses the character of '%s' that is not in the alphabet", (encoded, char, offset) => {
    expect(parseBase64(encoded)).toEqual({ code: "base64WrongChar", char, offset });
  });

  it("judges a megabyte of padding at once", () => {
    expect(parseBase64("=".repeat(1_000_000))).toMatchObject({ code: "base64WrongEnding" });
  });
});
