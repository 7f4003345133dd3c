import { describe, expect, it } from "vitest";
import {
  Base58Error,
  base58ErrorText,
  decodeBase58,
  encodeBase58,
  findWrongBase58Char,
  parseBase58,
} from "../../src/crypto/base58.ts";
import { bytesOfHex } from "../support/fixtures/hex.ts";

describe("base58", () => {
  // draft-msporny-base58-03, section 5, and edge cases of leading zeros.
  it.each([
    [new TextEncoder().encode("Hello World!"), "2NEpo7TZRRrLZSi2U"],
    [
      new TextEncoder().encode("The quick brown fox jumps over the lazy dog."),
      "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z",
    ],
    [bytesOfHex("0000287fb4cd"), "11233QC4"],
    [bytesOfHex(""), ""],
    [bytesOfHex("00"), "1"],
    [bytesOfHex("000000"), "111"],
    [bytesOfHex("39"), "z"],
    [bytesOfHex("3a"), "21"],
    [bytesOfHex("ff"), "5Q"],
    [bytesOfHex("00ff"), "15Q"],
    [bytesOfHex("ffffff"), "2UzHL"],
    [bytesOfHex("01000000"), "2UzHM"],
  ])("prints %o as %s and reads it back", (bytes, text) => {
    expect(encodeBase58(bytes)).toBe(text);
    expect(parseBase58(text)).toEqual(new Uint8Array(bytes));
  });

  it("names the first wrong character and the text", () => {
    expect(parseBase58("111111111111111111111110")).toEqual({
      code: "base58WrongChar",
      char: "0",
      text: "111111111111111111111110",
    });
    for (const char of ["0", "O", "I", "l", " ", "+", "é", "\u{1F30A}".charAt(0), "\0", "\x7f"]) {
      for (const text of [`${char}abc`, `abc${char}I0`, `abcd${char}`]) {
        expect(parseBase58(text)).toEqual({ code: "base58WrongChar", char, text });
        expect(findWrongBase58Char(text)).toEqual({ code: "base58WrongChar", char, text });
      }
    }
    expect(findWrongBase58Char("abc")).toBeUndefined();
  });

  it("refuses more than 192 characters without decoding them", () => {
    expect(parseBase58("z".repeat(192))).toHaveLength(141);
    expect(parseBase58("1".repeat(192))).toHaveLength(192);
    expect(parseBase58("0".repeat(193))).toEqual({ code: "base58TooLong", characters: 193, maxCharacters: 192 });
  });

  it("tells faults in the words of the reference's API", () => {
    expect(base58ErrorText({ code: "base58WrongChar", char: "0", text: "a0" })).toBe(
      "requirement failed: Wrong char '0' in Base58 string 'a0'",
    );
    expect(base58ErrorText({ code: "base58TooLong", characters: 193, maxCharacters: 192 })).toBe(
      "requirement failed: base58Decode input exceeds 192",
    );
  });

  it("decodeBase58 throws the fault", () => {
    expect(decodeBase58("5Q")).toEqual(Uint8Array.of(255));
    expect(() => decodeBase58("l")).toThrow(Base58Error);
    expect(() => decodeBase58("l")).toThrow(
      expect.objectContaining({ details: { code: "base58WrongChar", char: "l", text: "l" } }),
    );
  });
});

it("prints the bytes of a long document as short ones, zeros in front included", () => {
  const bytes = Uint8Array.from({ length: 3_000 }, (_, index) => (index < 3 ? 0 : (index * index) % 251));
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const text = encodeBase58(bytes);
  const number = [...text].reduce((sum, digit) => sum * 58n + BigInt(alphabet.indexOf(digit)), 0n);
  expect(number).toBe(BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
  expect(text).toMatch(/^111[^1]/);
});
