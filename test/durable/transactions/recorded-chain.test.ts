/**
 * The recorded chain private-a, transaction by transaction: what the reference made of each is recorded, so ours must be
 * the same change set. Where a script would have to run, ours must say so, and the recorded change set takes its place.
 */
import { describe, expect, it, test } from "vitest";
import { applyTransaction } from "../../../durable/transactions/apply-transaction.ts";
import type { BlockContext } from "../../../durable/transactions/block-context.ts";
import { feeShares } from "../../../durable/transactions/fee-shares.ts";
import { withBalanceChange } from "../../../durable/transactions/portfolio.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { describeFault } from "../../../src/protocol/fault-text.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { blocks, Replay } from "./private-a.ts";

/** Lists as sorted texts: their order is of no meaning on the chain. */
function comparable(snapshot: Snapshot): string {
  const sorted = (list: readonly unknown[]): string[] => list.map(textOf).sort();
  const { accountData = [], ...rest } = snapshot;
  const lists = Object.entries(rest).map(([name, list]) => [name, sorted(list)]);
  const data = accountData.map(({ address, entries }) => [encodeBase58(address), sorted(entries)]);
  return textOf({ ...Object.fromEntries(lists.sort()), accountData: Object.fromEntries(data.sort()) });
}

function textOf(item: unknown): string {
  return JSON.stringify(item, (_, value: unknown) => {
    if (typeof value === "bigint") return `${value}`;
    return value instanceof Uint8Array ? encodeBase58(value) : value;
  });
}

describe("recorded chain private-a", () => {
  const replay = new Replay();
  const { state } = replay;
  const counts = { compared: new Map<number, number>(), withScripts: new Map<number, number>() };

  /** What our own rules make of the transaction, the generator's share included. */
  const ownResult = (transaction: Transaction, context: BlockContext): string => {
    try {
      const { snapshot } = applyTransaction(transaction, state, context);
      const { asset, toGenerator } = feeShares(transaction, state);
      return comparable(withBalanceChange(snapshot, state, context.blockGenerator, asset, toGenerator));
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return error.fault.code === "scriptsNotSupported" ? "needs a script" : describeFault(error.fault);
    }
  };

  for (const height of blocks.keys()) {
    test(`the change sets at height ${height + 1} are the recorded ones`, () => {
      const differences: object[] = [];
      replay.next((transaction, { snapshot, status }, context) => {
        const { type, id } = transaction;
        const own = ownResult(transaction, context);
        const recorded = comparable(snapshot);
        const kind = own === "needs a script" ? counts.withScripts : counts.compared;
        kind.set(type, (kind.get(type) ?? 0) + 1);
        if (own === "needs a script" || (own === recorded && status === "succeeded")) return;
        differences.push({ type, id: encodeBase58(id), own, recorded, status });
      });
      expect(differences).toEqual([]);
    });
  }

  it("holds so many transactions of each type that need no script, and so many that do", () => {
    expect(Object.fromEntries(counts.compared)).toEqual({
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
    expect(Object.fromEntries(counts.withScripts)).toEqual({
      3: 2,
      4: 16,
      6: 1,
      7: 2,
      11: 2,
      13: 36,
      15: 2,
      16: 326,
      18: 7,
    });
  });
});
