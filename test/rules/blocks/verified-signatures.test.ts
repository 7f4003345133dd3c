import { describe, expect, test } from "vitest";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { encodeFlags, FlagReader, verifiedSignatures } from "../../../src/rules/blocks/verified-signatures.ts";
import { blockAfter, chainOfThree, once } from "../../support/builders/next-block.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";

const { chainId, genesis } = privateNetwork.blockchain;

describe("the flags of signatures verified beforehand", () => {
  const viewOfThree = once(() => chainOfThree().chain.view);
  const transfers = [1n, 2n].map((amount) => signedTransfer({ timestamp: genesis.blockTimestampMs, amount }));
  const [first, second] = transfers as [(typeof transfers)[0], (typeof transfers)[0]];

  test("are for its own signature, and that of each transaction", () => {
    const block = blockAfter(viewOfThree(), { transactions: transfers });
    expect([...verifiedSignatures(block, chainId)]).toEqual([true, true, true]);
    const forged = { ...first, proofs: second.proofs };
    expect([...verifiedSignatures({ ...block, transactions: [forged, second] }, chainId)]).toEqual([true, false, true]);
    const ofAnother = blockAfter(viewOfThree(), { rewardVote: 5n }).signature;
    expect([...verifiedSignatures({ ...block, signature: ofAnother }, chainId)]).toEqual([false, true, true]);
  });

  test("are set if there is nothing to verify", () => {
    const unsigned = { ...first, proofs: [] };
    const block = blockAfter(viewOfThree(), { transactions: [unsigned] });
    expect([...verifiedSignatures(block, chainId)]).toEqual([true, true]);
  });
});

describe("flags", () => {
  test("take a bit each, the first one the lowest of the first byte", () => {
    expect(encodeFlags([true])).toBe("01");
    expect(encodeFlags([false, true, false, false, false, false, false, true])).toBe("82");
    expect(encodeFlags([...Array<boolean>(8).fill(false), true])).toBe("0001");
    expect(encodeFlags([])).toBe("");
  });

  test("are read in their order, and are unset after the last one", () => {
    const flags = [true, false, true, true, false, false, false, true, false, true];
    const reader = new FlagReader(encodeFlags(flags));
    expect(flags.map(() => reader.next())).toEqual(flags);
    expect(Array.from({ length: 20 }, () => reader.next())).toEqual(Array(20).fill(false));
  });

  test("are hex", () => {
    expect(() => new FlagReader("no hex")).toThrow();
  });
});
