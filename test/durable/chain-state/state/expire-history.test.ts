import { describe, expect, test } from "vitest";
import {
  expireAssetBalanceHistory,
  expireBalanceHistory,
} from "../../../../durable/chain-state/state/expire-history.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import type { AssetId } from "../../../../src/protocol/transactions/asset.ts";
import { balanceHistoryTable } from "../../../../src/tables/accounts.ts";
import { assetBalanceHistoryTable } from "../../../../src/tables/lists.ts";
import { added } from "../../../../src/tables/schema/row-change.ts";
import { SeededRandom } from "../../../../verification/chain-generator/seeded-random.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const windowBlocks = 7;
const lastHeight = 40;
const address = (account: number) => new Uint8Array(26).fill(account) as Address;
const asset = new Uint8Array(32).fill(1) as AssetId;

interface Entry {
  readonly account: number;
  readonly height: number;
  readonly balance: bigint;
}

/** Random changes of some accounts, each account's in order of height; a fifth of them to 0. */
function drawnHistory(seed: string): readonly Entry[] {
  const random = new SeededRandom(seed);
  const chance = (): number => (random.bytes(1)[0] as number) / 256;
  return [1, 2, 3, 4].flatMap((account) =>
    Array.from({ length: lastHeight }, (_, index) => index + 1)
      .filter(() => chance() < account / 8)
      .map((height) => ({ account, height, balance: chance() < 0.2 ? 0n : BigInt(height) })),
  );
}

/** Entries that remain at a tip: those whose successor is above `tip - windowBlocks`, even by one height. */
function retained(entries: readonly Entry[], tip: number, dropsZero: boolean): readonly Entry[] {
  const start = tip - windowBlocks;
  return entries.filter(({ account, height, balance }) => {
    const next = entries.find((other) => other.account === account && other.height > height);
    if (next !== undefined && next.height <= start) return false;
    return !(dropsZero && balance === 0n && height <= start);
  });
}

const positions = (entries: readonly Entry[]): readonly string[] =>
  entries.map(({ account, height }) => `${account}/${height}`).sort();

describe.each([
  ["one block at a time", 1],
  ["three at a time", 3],
])("history is kept to the height, %s", (_, step) => {
  test.each(["a", "b", "c"])("for balances (history %s)", (seed) => {
    const { store } = testStore();
    const history = drawnHistory(seed);
    const rows = history.map(({ account, height, balance }) =>
      added(balanceHistoryTable, { address: address(account), height, balance, leaseIn: 0n, leaseOut: 0n }),
    );
    store.gather({ height: 1, step: 0 }, rows);
    store.flush();
    for (let tip = 1; tip + step <= lastHeight + windowBlocks; tip += step) {
      expireBalanceHistory(store, { from: tip, to: tip + step }, windowBlocks);
      store.flush();
      const found = store.query(balanceHistoryTable, "").map((row) => `${row.address[0]}/${row.height}`);
      expect(found.sort(), `tip ${tip + step}`).toEqual(positions(retained(history, tip + step, false)));
    }
  });

  test.each(["a", "b", "c"])("for assets, which leave nothing once they are gone (history %s)", (seed) => {
    const { store } = testStore();
    const history = drawnHistory(seed);
    const rows = history.map(({ account, height, balance }) =>
      added(assetBalanceHistoryTable, { asset, holder: account, height, balance }),
    );
    store.gather({ height: 1, step: 0 }, rows);
    store.flush();
    for (let tip = 1; tip + step <= lastHeight + windowBlocks; tip += step) {
      expireAssetBalanceHistory(store, { from: tip, to: tip + step }, windowBlocks);
      store.flush();
      const found = store.query(assetBalanceHistoryTable, "").map((row) => `${row.holder}/${row.height}`);
      expect(found.sort(), `tip ${tip + step}`).toEqual(positions(retained(history, tip + step, true)));
    }
  });
});
