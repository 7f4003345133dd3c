import { expect, test } from "vitest";
import { proofOfPossessionMessage } from "../../../src/protocol/transactions/proof-of-possession.ts";

test("a proof of possession is made over the key and the first height of the period, most significant byte first", () => {
  const key = new Uint8Array(48).fill(3);
  expect(proofOfPossessionMessage(key, 0x01_02_03_04)).toEqual(Uint8Array.of(...key, 1, 2, 3, 4));
  expect(proofOfPossessionMessage(key, 0xff_ff_ff_ff).subarray(48)).toEqual(new Uint8Array(4).fill(255));
});
