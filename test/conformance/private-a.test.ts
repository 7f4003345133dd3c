/**
 * The recorded chain private-a, appended with full validation: what the reference made of it is the judge. Transactions
 * that run scripts take their recorded change sets, so that every height is compared.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Judgement, judgeChain } from "../../scripts/judge/judge-chain.ts";
import { readRecording } from "../../scripts/judge/recording.ts";
import { countMoney, type MoneyCount } from "../durable/blocks/conserved-money.ts";

const recording = readRecording(join(import.meta.dirname, "..", "fixtures", "private-a"));
const money = new Map<number, MoneyCount>();
const judgement: Judgement = judgeChain(recording, {
  all: true,
  afterBlock: (chain, database) => money.set(chain.height, countMoney(chain, database)),
});

describe("the recorded chain private-a", () => {
  test("is appended to its last block", () => {
    expect(judgement.height).toBe(105);
    expect(recording.stateHashes.size).toBe(105);
  });

  test("has the recorded change set for every transaction that runs no script, and both recorded state hashes at every height", () => {
    expect(judgement.differences).toEqual([]);
  });

  test("has them in the order that clients see", () => {
    expect(judgement.reordered).toBe(0);
  });

  test("counts so many transactions that run no script", () => {
    expect(Object.fromEntries(judgement.compared)).toEqual({
      3: 9,
      4: 152,
      5: 3,
      6: 38,
      7: 55,
      8: 47,
      9: 24,
      10: 3,
      11: 36,
      12: 39,
      14: 3,
      17: 3,
      18: 32,
    });
  });

  test("takes the recorded change sets only of transactions that need a script, and of so many", () => {
    const needs = (script: string) => `Internal error: this node cannot run scripts yet, and ${script} is needed`;
    const complexityOf = (owner: string) => needs(`the complexity of an ${owner} script`);
    const verifier = needs("the verifier of an account");
    const assetScript = needs("the script of an asset");
    const callable = needs("the function of a dApp");
    expect(Object.fromEntries(judgement.fromRecording)).toEqual({
      [`type 3: ${complexityOf("asset")}`]: 2,
      [`type 4: ${assetScript}`]: 8,
      [`type 4: ${verifier}`]: 8,
      [`type 6: ${assetScript}`]: 1,
      [`type 7: ${assetScript}`]: 2,
      [`type 11: ${assetScript}`]: 1,
      [`type 11: ${verifier}`]: 1,
      [`type 13: ${complexityOf("account")}`]: 28,
      [`type 13: ${verifier}`]: 8,
      [`type 15: ${complexityOf("asset")}`]: 2,
      [`type 16: ${callable}`]: 326,
      [`type 18: ${callable}`]: 7,
    });
  });

  test("conserves WAVES, assets and leases after every block", () => {
    expect(money.size).toBe(105);
    for (const [height, { found, expected }] of money)
      expect({ height, lines: found }).toEqual({ height, lines: expected });
  });
});
