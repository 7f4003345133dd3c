/** Rows that the chain deletes as it grows, to the height: those that a query can still reach stay. */
import { describe, expect, test } from "vitest";
import { Committer } from "../../../../durable/chain-state/chain/committer.ts";
import type { StoredChain } from "../../../../durable/chain-state/chain/stored-chain.ts";
import type { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import type { AssetId } from "../../../../src/protocol/transactions/asset.ts";
import { balanceHistoryTable } from "../../../../src/tables/accounts.ts";
import { assetBalanceHistoryTable } from "../../../../src/tables/lists.ts";
import { added } from "../../../../src/tables/schema/row-change.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const address = new Uint8Array(26).fill(1) as Address;
const asset = new Uint8Array(32).fill(1) as AssetId;

/** Chain on which an account's balances change in every block. */
function chainOf(height: number, maxRollbackDepth: number) {
  const { store } = testStore();
  for (let at = 1; at <= height; at++) {
    const balance = BigInt(at);
    store.gather({ height: at, step: 0 }, [
      added(balanceHistoryTable, { address, height: at, balance, leaseIn: 0n, leaseOut: 0n }),
      added(assetBalanceHistoryTable, { asset, holder: 1, height: at, balance }),
    ]);
  }
  store.flush();
  const view = { height };
  const state = { version: "tip", epoch: 0, height, transactions: 0, finalizedHeight: 0 };
  const steps = new Committer({
    store,
    stored: { view, state: () => state } as StoredChain,
    transaction: (run) => run(),
    maxRollbackDepth,
    storage: { storeStateHashes: false, storeSnapshots: false },
    follow: () => () => {},
    takenBack: () => {},
  });
  const expire = (before: number): void => steps.atomic(() => steps.expire(before));
  return { store, steps, view, expire };
}

const lowest = (store: StateStore, table: string): number => Number(store.scalar(`SELECT MIN(height) FROM ${table}`));

describe("balances of an account are stored", () => {
  test.each([
    ["for generators, whose window is 1,000 blocks and the one before", 20, 1_021],
    ["for queries, which go as far back as a rollback", 1_100, 2_200],
  ])("%s, from the lowest block that a rollback reaches", (_, maxRollbackDepth, window) => {
    const height = window + 10;
    const { store, view, expire } = chainOf(height, maxRollbackDepth);
    expire(0);
    // The row of that height is in force there.
    expect(lowest(store, "balance_history")).toBe(height - window);
    view.height = height + 3;
    expire(height);
    expect(lowest(store, "balance_history")).toBe(height + 3 - window);
  });

  test("whole, while the chain is no longer than that", () => {
    const { store, expire } = chainOf(1_022, 20);
    expire(1_000);
    expect(lowest(store, "balance_history")).toBe(1);
  });
});

test("balances in assets are stored for queries, from the lowest block that a rollback reaches", () => {
  const { store, expire } = chainOf(100, 20);
  expire(0);
  expect(lowest(store, "asset_balance_history")).toBe(60);
});

describe("undo records are deleted every hundred blocks", () => {
  const lowestAfter = (before: number, height: number): number => {
    const { store, expire } = chainOf(height, 20);
    expire(before);
    return lowest(store, "undo");
  };

  test("except those that a rollback needs", () => {
    expect(lowestAfter(199, 200)).toBe(180);
    expect(lowestAfter(150, 230)).toBe(210);
  });

  test("and not in between", () => {
    expect(lowestAfter(198, 199)).toBe(1);
    expect(lowestAfter(200, 201)).toBe(1);
    expect(lowestAfter(201, 250)).toBe(1);
  });

  test("and never by a chain that has become shorter, or stays as it is", () => {
    expect(lowestAfter(205, 200)).toBe(1);
    expect(lowestAfter(200, 200)).toBe(1);
  });
});

test("many rows of a batch are written between two blocks with a mark of their state; a few wait", () => {
  const written = (accounts: number) => {
    const { store, steps } = chainOf(0, 20);
    store.gather(
      { height: 1, step: 0 },
      Array.from({ length: accounts }, (_, number) => {
        const owner = new Uint8Array(26).fill(number >> 8, 0, 13).fill(number & 255, 13) as Address;
        return added(balanceHistoryTable, { address: owner, height: 1, balance: 1n, leaseIn: 0n, leaseOut: 0n });
      }),
    );
    steps.flushIfMany();
    const count = (table: string) => store.sql.exec(`SELECT COUNT(*) FROM ${table}`).raw().toArray()[0]?.[0];
    return [count("balance_history"), count("outbox WHERE table_number = -1")];
  };
  expect(written(2_001)).toEqual([2_001, 1]);
  expect(written(2_000)).toEqual([0, 0]);
});
