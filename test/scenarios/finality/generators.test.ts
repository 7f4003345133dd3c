/** Accounts that may generate. Names are those of the reference's MinerWithFinalitySuite, where it has one. */
import { describe, expect, test } from "vitest";
import { addressText } from "../../../src/crypto/address.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { mayGenerateNext } from "../../../src/rules/finality/generator-set.ts";
import { addressOf, Committee, deposit, waves } from "../../support/builders/committee.ts";
import { violationOf } from "../../support/builders/violation-of.ts";

const three = { balances: [2_000_000n, 2_000_000n, 2_000_000n] };

const weightsOf = ({ chain }: Committee) => chain.liquid.generators().weights.map((weight) => weight > 0n);
const mayAll = ({ view, keys }: Committee) => keys.map((key) => mayGenerateNext(view, addressOf(key)));

describe("the generator of a block", () => {
  test("is any account before the feature, in its first period, and in a period without commitments", () => {
    const committee = new Committee({ ...three, activation: 3 });
    for (const generator of [0, 1, 2, 0, 1, 2, 0]) {
      expect(mayAll(committee)).toEqual([true, true, true]);
      committee.append(generator);
    }
  });

  test("is one of those that have committed to its period", () => {
    const committee = Committee.committed({ ...three, members: [0, 1] });
    expect(mayAll(committee)).toEqual([true, true, false]);
    const violation = violationOf(() => committee.append(2));
    expect(violation).toEqual({
      code: "generatorNotAllowed",
      generator: addressText(addressOf(committee.key(2))),
      allowed: [0, 1].map((index) => addressText(addressOf(committee.key(index)))),
    });
    expect(describeViolation(violation as never)).toMatch(
      / is not allowed to generate a block, allowed: .*, .*commit to generation/,
    );
    expect(committee.node.height).toBe(2);
    committee.append(1);
    // Last block of the period; no account has committed to the next.
    committee.append(0);
    committee.append(2);
  });

  test("is no account that became poor, from the next block on", () => {
    const committee = new Committee({ ...three, functionality: { generationPeriodLength: 8 } });
    // Periods [0, 8], [9, 16].
    while (committee.node.height < 8) {
      const transactions =
        committee.node.height === 7 ? [0, 1, 2].map((index) => committee.commitment(committee.key(index), 9)) : [];
      committee.append(0, { transactions });
    }
    expect(mayAll(committee)).toEqual([true, true, true]);
    const spent = committee.balanceOf(1) - deposit - 2n * waves - 100_000n;
    committee.append(0, { transactions: [committee.transfer(1, spent)] });
    expect(weightsOf(committee)).toEqual([true, true, true]);
    expect(mayAll(committee)).toEqual([true, false, true]);
    expect(violationOf(() => committee.append(1))).toMatchObject({ code: "generatingBalanceTooLow" });
    committee.append(2);
    expect(weightsOf(committee)).toEqual([true, false, true]);
  });

  test("is no account with a conflicting endorsement, at once and for the rest of the period", () => {
    const committee = Committee.committed(three);
    const conflicts = [committee.conflict(1)];
    committee.append(0, { finalizationVoting: committee.voting({ conflicts }) });
    expect(weightsOf(committee)).toEqual([true, true, true]);
    expect(mayAll(committee)).toEqual([true, false, true]);
    expect(violationOf(() => committee.append(1))).toMatchObject({ code: "generatorNotAllowed" });
    committee.append(2);
    expect(weightsOf(committee)).toEqual([true, false, true]);
    // New period, to which no account has committed.
    committee.append(1);
  });

  test("mining works if not committed, but all generators have no right to mine: a conflict", () => {
    const committee = Committee.committed({ ...three, members: [0, 1] });
    committee.append(0, { finalizationVoting: committee.voting({ conflicts: [committee.conflict(1)] }) });
    expect(mayAll(committee)).toEqual([true, false, false]);
    expect(committee.chain.stored.finalizedHeight()).toBe(1);
  });

  test("mining works if not committed, but all generators have no right to mine: poor", () => {
    const committee = Committee.committed({ ...three, members: [0] });
    const spent = committee.balanceOf(0) - deposit - 2n * waves - 100_000n;
    committee.append(0, { transactions: [committee.transfer(0, spent)] });
    expect(mayAll(committee)).toEqual([true, true, true]);
    const { stored } = committee.chain;
    expect(committee.view.storedFinalizedHeight(3)).toBe(2);
    committee.append(2);
    expect(weightsOf(committee)).toEqual([false]);
    // Without a set nothing is finalized.
    expect(committee.view.storedFinalizedHeight(4)).toBe(2);
    expect(stored.finalizedHeight()).toBe(2);
  });
});

test("the set of a block does not change with its micro-blocks, and is read again once forgotten", () => {
  const committee = Committee.committed(three);
  committee.append(0);
  const { liquid } = committee.chain;
  const { weights } = liquid.generators();
  committee.appendMicroBlock(0, undefined, [committee.transfer(1, 1_000_000n * waves)]);
  expect(liquid.generators().weights).toEqual(weights);
  liquid.forget();
  expect(liquid.generators().weights).toEqual(weights);
});

test("a wallet's member forges the next block; without one the node reports its obstacle", () => {
  const committee = new Committee({ balances: [2_000_000n] });
  // The account of the simulated node has the rest.
  const { node } = committee;
  committee.append(0, { transactions: [committee.commitment(committee.key(0), 3)] });
  const { next, accounts } = node.miner.schedule();
  expect(next).toBeUndefined();
  expect(accounts.map(({ code }) => code)).toEqual(["generatorNotAllowed"]);
  expect(node.miner.nextWakeMs(node.nowMs)).toBeUndefined();
  committee.append(0);
  committee.append(0);
  expect(node.miner.schedule().accounts.map(({ code }) => code)).toEqual(["turn"]);
});
