/** @see docs/protocol/consensus-and-finality.md 3.9; Waves 1.6: state/Blockchain.scala (generationDeposit) */
import { describe, expect, it } from "vitest";
import { commitmentDeposit, depositOf, depositSpan, depositSteps } from "../../../src/rules/finality/deposit.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { addresses, keys, transactionId } from "../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

/** Periods [0, 2], [3, 4], [5, 6], [7, 8]. */
const settings = { functionality: { generationPeriodLength: 2 } };
const committing = (byte: number) => ({
  generationCommitments: [
    { sender: keys.alice, endorserPublicKey: new Uint8Array(48).fill(byte), transactionId: transactionId(byte) },
  ],
});
const depositsAt = (state: InMemoryState, heights: readonly number[]) =>
  heights.map((height) => depositOf(addresses.alice, state.moveTo(height)) / commitmentDeposit);

describe("the deposit of an account", () => {
  it("is taken and returned: of each commitment from its block to the end of its period", () => {
    const state = new InMemoryState({ ...settings, height: 2 });
    expect(depositsAt(state, [2])).toEqual([0n]);
    state.apply(committing(1));
    expect(depositsAt(state, [2, 3, 4, 5])).toEqual([1n, 1n, 1n, 0n]);
    state.moveTo(4).apply(committing(2));
    expect(depositsAt(state, [4, 5, 6, 7])).toEqual([2n, 1n, 1n, 0n]);
    expect(depositOf(addresses.bob, state.moveTo(4))).toBe(0n);
  });

  it("is calculated for future heights", () => {
    const state = new InMemoryState({ ...settings, height: 2 }).with(committing(1));
    expect([2, 4, 5].map((height) => depositOf(addresses.alice, state, height))).toEqual([
      commitmentDeposit,
      commitmentDeposit,
      0n,
    ]);
  });

  it("is gone from the block after one with a conflict on; that to the next period stays", () => {
    const before = new InMemoryState({ ...settings, height: 2 }).with(committing(1)).moveTo(3).with(committing(2));
    const conflicting = new OverlayView(before, { height: 3, conflicts: [0] });
    const inUnits = (height: number) => depositOf(addresses.alice, conflicting, height) / commitmentDeposit;
    expect([3, 4, 5, 6].map(inUnits)).toEqual([2n, 1n, 1n, 1n]);
  });

  it("is none before the feature is active", () => {
    const state = new InMemoryState({ ...settings, height: 2, features: new Map([[25, 3]]) });
    expect(depositOf(addresses.alice, state)).toBe(0n);
  });
});

describe("spans of deposits", () => {
  it("end with the period, or with the block that carries a conflict", () => {
    expect(depositSpan({ height: 2, periodEnd: 4, conflictHeight: undefined })).toEqual({ from: 2, to: 4 });
    expect(depositSpan({ height: 2, periodEnd: 4, conflictHeight: 3 })).toEqual({ from: 2, to: 3 });
    expect(depositSpan({ height: 2, periodEnd: 4, conflictHeight: 4 })).toEqual({ from: 2, to: 4 });
  });

  it("add up by height", () => {
    const one = commitmentDeposit;
    expect(depositSteps([])).toEqual([]);
    expect(
      depositSteps([
        { from: 4, to: 6 },
        { from: 2, to: 4 },
        { from: 5, to: 8 },
      ]),
    ).toEqual([
      { height: 2, deposit: one },
      { height: 4, deposit: 2n * one },
      { height: 5, deposit: 2n * one },
      { height: 7, deposit: one },
      { height: 9, deposit: 0n },
    ]);
  });
});
