import { expect, test } from "vitest";
import { readHex } from "../../src/crypto/hex.ts";

const cases: readonly (readonly [text: string, bytes: readonly number[]])[] = [
  ["", []],
  ["0x", []],
  ["0x00ffA1", [0x00, 0xff, 0xa1]],
  ["00fF", [0x00, 0xff]],
  ["0x1ab", [0x01, 0xab]],
];

test.each(cases)("%j is read with or without prefix, and an odd number of digits", (text, bytes) => {
  expect([...readHex(text)]).toEqual(bytes);
});

test("a character that is no digit counts as -1 and is not refused, as in web3j, which the reference reads with", () => {
  expect([...readHex("0x-g")]).toEqual([(-16 - 1) & 0xff]);
  expect([...readHex("2-")]).toEqual([0x1f]);
  expect([...readHex("0X12")]).toEqual([(0 - 1) & 0xff, 0x12]);
});
