import { describe, expect, test } from "vitest";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import type { ConflictEndorsement, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import type { Commitment } from "../../../src/rules/finality/commitment.ts";
import { isParentFinalized, isTwoThirds, weightsWithout } from "../../../src/rules/finality/finalization.ts";
import { finalizedAfter, finalizedHeight } from "../../../src/rules/finality/finalized-height.ts";
import type { GeneratorSet } from "../../../src/rules/finality/generator-set.ts";

const addressAt = (index: number) => new Uint8Array(26).fill(index + 1) as Uint8Array as Address;

function member(index: number): Commitment {
  return {
    index,
    address: addressAt(index),
    publicKey: new Uint8Array(32) as Uint8Array as PublicKey,
    endorserPublicKey: new Uint8Array(48),
    transactionId: new Uint8Array(32) as Uint8Array as TransactionId,
    height: 1,
  };
}

const setOf = (...weights: readonly bigint[]): GeneratorSet => ({
  committed: weights.map((_, index) => member(index)),
  weights,
  conflicts: new Map(),
});

const votingOf = (endorserIndexes: readonly number[], conflicts: readonly number[] = []): FinalizationVoting => ({
  endorserIndexes,
  finalizedHeight: 1,
  aggregatedEndorsementSignature: undefined,
  conflictEndorsements: conflicts.map((endorserIndex) => ({ endorserIndex }) as ConflictEndorsement),
});

test("two thirds are counted in whole numbers: 7 of 11 is not enough", () => {
  expect(isTwoThirds(7n, 11n)).toBe(false);
  expect(isTwoThirds(8n, 11n)).toBe(true);
  expect(isTwoThirds(2n, 3n)).toBe(true);
  const whole = 2n ** 63n;
  expect(isTwoThirds((whole * 2n) / 3n, whole)).toBe(false);
  expect(isTwoThirds((whole * 2n) / 3n + 1n, whole)).toBe(true);
});

describe("a block finalizes its parent", () => {
  test("if its generator and the endorsers hold two thirds", () => {
    const set = setOf(3n, 3n, 3n);
    expect(isParentFinalized(set, addressAt(0), votingOf([1]))).toBe(true);
    expect(isParentFinalized(set, addressAt(0), undefined)).toBe(false);
    expect(isParentFinalized(set, addressAt(0), votingOf([]))).toBe(false);
    expect(isParentFinalized(setOf(3n, 3n, 5n), addressAt(0), votingOf([1]))).toBe(false);
  });

  test("without any voting, if its generator alone holds as much", () => {
    expect(isParentFinalized(setOf(2n, 1n), addressAt(0), undefined)).toBe(true);
    expect(isParentFinalized(setOf(2n, 1n), addressAt(1), undefined)).toBe(false);
  });

  test("counting no member that may not generate", () => {
    expect(isParentFinalized(setOf(2n, 0n, 1n), addressAt(0), votingOf([1]))).toBe(true);
    expect(isParentFinalized(setOf(2n, 0n, 2n), addressAt(0), votingOf([1]))).toBe(false);
  });

  test("counting a generator outside the set as zero, such as a challenger", () => {
    expect(isParentFinalized(setOf(1n), addressAt(5), undefined)).toBe(false);
  });

  test("never without a set, or if all of it is conflicting", () => {
    expect(isParentFinalized(setOf(), addressAt(0), undefined)).toBe(false);
    expect(isParentFinalized(setOf(0n, 0n), addressAt(0), undefined)).toBe(false);
    expect(isParentFinalized(setOf(1n), addressAt(5), votingOf([], [0]))).toBe(false);
  });

  test("or because of a conflict: the total shrinks", () => {
    const set = setOf(2n, 1n, 1n);
    expect(isParentFinalized(set, addressAt(0), undefined)).toBe(false);
    expect(isParentFinalized(set, addressAt(0), votingOf([], [1]))).toBe(true);
    expect(weightsWithout(set, votingOf([], [1]))).toEqual([2n, 0n, 1n]);
    expect(weightsWithout(set, votingOf([1]))).toEqual([2n, 1n, 1n]);
  });
});

test("a block without votes is final a hundred blocks later, and the genesis block at once", () => {
  expect(finalizedHeight(1)).toBe(1);
  expect(finalizedHeight(101)).toBe(1);
  expect(finalizedHeight(102)).toBe(2);
  expect(finalizedHeight(150, 20)).toBe(50);
  expect(finalizedHeight(110, 20)).toBe(20);
});

test("the next block gets from a block its parent as final, or its own finalized height", () => {
  expect(finalizedAfter(10, 3, true)).toBe(9);
  expect(finalizedAfter(10, 3, false)).toBe(3);
  expect(finalizedAfter(150, 3, false)).toBe(50);
});
