import { describe, expect, test } from "vitest";
import { listRows } from "../../../../../durable/chain-state/chain/rows/list-rows.ts";
import { expireAssetBalanceHistory } from "../../../../../durable/chain-state/state/expire-history.ts";
import type { StateStore } from "../../../../../durable/chain-state/state/state-store.ts";
import { addressOfPublicKey } from "../../../../../src/crypto/address.ts";
import type { PublicKey } from "../../../../../src/crypto/identities.ts";
import type { AssetId } from "../../../../../src/protocol/transactions/asset.ts";
import type { LeaseId, TransactionId } from "../../../../../src/protocol/transactions/transaction.ts";
import { accountTable, assetBalanceTable } from "../../../../../src/tables/accounts.ts";
import { aliasTable } from "../../../../../src/tables/aliases.ts";
import { type AssetRow, assetTable } from "../../../../../src/tables/assets.ts";
import { type LeaseRow, leaseTable } from "../../../../../src/tables/leases.ts";
import { assetBalanceHistoryTable } from "../../../../../src/tables/lists.ts";
import { type RowChange, written } from "../../../../../src/tables/schema/row-change.ts";
import { testStore } from "../../../../support/builders/test-store.ts";

const chainId = 84;
const keyOf = (number: number) => new Uint8Array(32).fill(number) as PublicKey;
const addressOf = (number: number) => addressOfPublicKey(keyOf(number), chainId);
/** Id of an asset, lease or transaction. */
const idOf = <Id extends Uint8Array>(number: number) => new Uint8Array(32).fill(number) as Uint8Array as Id;

/** Writes a commit as the chain does. */
function write(store: StateStore, height: number, step: number, changes: readonly RowChange[]): void {
  const position = { height, step };
  store.commit(position, [...changes, ...listRows({ store, chainId, position, changes })]);
}

const waves = (account: number) =>
  written(accountTable, { address: addressOf(account), balance: 1n, leaseIn: 0n, leaseOut: 0n });
const holding = (account: number, asset: number, balance: bigint) =>
  written(assetBalanceTable, { address: addressOf(account), asset: idOf<AssetId>(asset), balance });
const nft = (id: number) =>
  written(assetTable, {
    ...{ id: idOf<AssetId>(id), issuer: keyOf(1), originTransactionId: idOf<TransactionId>(id), issueHeight: 1 },
    ...{
      sequenceInBlock: 1,
      decimals: 0,
      nft: true,
      volume: 1n,
      reissuable: false,
      name: idOf(0),
      description: idOf(0),
    },
    ...{ textHeight: 1, script: undefined, scriptComplexity: 0n, minSponsoredAssetFee: 0n },
    ...{ scriptHeight: 0, sponsorshipHeight: 0 },
  });
const lease = (id: number, height: number, status: LeaseRow["status"]) =>
  written(leaseTable, {
    ...{ id: idOf<LeaseId>(id), sender: keyOf(1), recipient: addressOf(2), amount: 1n, height, status },
    ...{ originTransactionId: idOf<TransactionId>(id), cancelHeight: undefined, cancelTransactionId: undefined },
  });
const alias = (name: string) => written(aliasTable, { name, address: addressOf(1), takenOver: false });

const hex = (cell: unknown) => Buffer.from(cell as ArrayBuffer)[0];

describe("accounts", () => {
  const numbers = (store: StateStore) =>
    store.rows("SELECT address, number FROM account_number ORDER BY number").map(([address]) => {
      const bytes = Buffer.from(address as ArrayBuffer);
      return [1, 2, 3, 4].find((account) => bytes.equals(addressOf(account)));
    });

  test("are numbered once, those of later commits after the others", () => {
    const { store } = testStore();
    write(store, 2, 0, [waves(3)]);
    write(store, 2, 1, [waves(1), waves(3)]);
    write(store, 3, 0, [holding(2, 9, 5n), waves(1)]);
    expect(numbers(store)).toEqual([3, 1, 2]);
    store.rollbackTo({ height: 2, step: 0 });
    expect(numbers(store)).toEqual([3]);
    write(store, 2, 1, [waves(4)]);
    expect(numbers(store)).toEqual([3, 4]);
  });
});

describe("NFTs of an account", () => {
  const listOf = (store: StateStore, account: number) =>
    store
      .rows(
        "SELECT asset, is_held FROM account_nft WHERE address = ? ORDER BY number",
        addressOf(account).slice().buffer,
      )
      .map(([asset, isHeld]) => [hex(asset), isHeld]);

  test("keep their positions when they are given away and returned", () => {
    const { store } = testStore();
    write(store, 2, 0, [nft(7), holding(1, 7, 1n)]);
    write(store, 3, 0, [nft(8), holding(1, 8, 1n)]);
    write(store, 4, 0, [holding(1, 7, 0n), holding(2, 7, 1n)]);
    expect(listOf(store, 1)).toEqual([
      [7, 0],
      [8, 1],
    ]);
    write(store, 5, 0, [holding(1, 7, 1n), holding(2, 7, 0n)]);
    expect(listOf(store, 1)).toEqual([
      [7, 1],
      [8, 1],
    ]);
    expect(listOf(store, 2)).toEqual([[7, 0]]);
  });

  test("are held again once the commit that gave them away is rolled back", () => {
    const { store } = testStore();
    write(store, 2, 0, [nft(7), holding(1, 7, 1n)]);
    write(store, 3, 0, [holding(1, 7, 0n), holding(2, 7, 1n)]);
    expect([listOf(store, 1), listOf(store, 2)]).toEqual([[[7, 0]], [[7, 1]]]);
    store.rollbackTo({ height: 2, step: 0 });
    expect([listOf(store, 1), listOf(store, 2)]).toEqual([[[7, 1]], []]);
  });

  test("are assets issued as NFTs, and no others", () => {
    const { store } = testStore();
    const issued = nft(8);
    write(store, 2, 0, [nft(7), written(assetTable, { ...(issued.row as AssetRow), nft: false })]);
    write(store, 3, 0, [holding(1, 7, 1n), holding(1, 8, 1n), holding(1, 9, 1n)]);
    expect(listOf(store, 1)).toEqual([[7, 1]]);
  });

  test("that pass through an account within a commit are not its own", () => {
    const { store } = testStore();
    write(store, 2, 0, [nft(7), holding(1, 7, 0n), holding(2, 7, 1n)]);
    expect(listOf(store, 1)).toEqual([]);
  });
});

describe("leases of an account", () => {
  const listOf = (store: StateStore, account: number) =>
    store
      .rows("SELECT lease FROM account_lease WHERE address = ? ORDER BY number", addressOf(account).slice().buffer)
      .map(([id]) => hex(id));

  test("are listed for both sides until they end", () => {
    const { store } = testStore();
    write(store, 2, 0, [lease(5, 2, "active"), lease(6, 2, "active")]);
    expect([listOf(store, 1), listOf(store, 2)]).toEqual([
      [5, 6],
      [5, 6],
    ]);
    write(store, 3, 0, [lease(5, 2, "canceled"), lease(7, 3, "canceled")]);
    expect([listOf(store, 1), listOf(store, 2)]).toEqual([[6], [6]]);
    store.rollbackTo({ height: 2, step: 0 });
    expect(listOf(store, 1)).toEqual([5, 6]);
  });

  test("of one commit are in their order up to four; more are in that of the reference's table, in any order of arrival", () => {
    const listed = (...ids: number[]) => {
      const { store } = testStore();
      write(
        store,
        2,
        0,
        ids.map((id) => lease(id, 2, "active")),
      );
      return listOf(store, 1);
    };
    expect(listed(8, 7, 6, 5)).toEqual([8, 7, 6, 5]);
    expect(listed(9, 8, 7, 6, 5)).toEqual(listed(5, 6, 7, 8, 9));
  });

  test("keep their positions when their rows are written again", () => {
    const { store } = testStore();
    write(store, 2, 0, [lease(5, 2, "active"), lease(6, 2, "active")]);
    write(store, 3, 0, [lease(5, 2, "active")]);
    expect(listOf(store, 1)).toEqual([5, 6]);
  });
});

test("aliases of an account are numbered in the order in which they were taken", () => {
  const { store } = testStore();
  write(store, 2, 0, [alias("second")]);
  write(store, 3, 0, [alias("first")]);
  expect(store.rows("SELECT name, number FROM account_alias ORDER BY number")).toEqual([
    ["second", 1],
    ["first", 2],
  ]);
});

describe("the history of an asset's balances", () => {
  const historyOf = (store: StateStore) =>
    store.rows("SELECT holder, height, balance FROM asset_balance_history ORDER BY holder, height");

  test("has one row for each height, whatever its micro-blocks changed", () => {
    const { store } = testStore();
    write(store, 2, 0, [holding(1, 7, 5n)]);
    write(store, 2, 1, [holding(1, 7, 6n)]);
    write(store, 3, 0, [holding(1, 7, 4n)]);
    expect(historyOf(store)).toEqual([
      [1, 2, 6],
      [1, 3, 4],
    ]);
    store.rollbackTo({ height: 2, step: 0 });
    expect(historyOf(store)).toEqual([[1, 2, 5]]);
  });

  test("loses rows that no query can reach: superseded before the window, and old zeros", () => {
    const { store } = testStore();
    const rows = [
      [1, 10, 5n],
      [1, 20, 6n],
      [1, 40, 7n],
      [2, 15, 5n],
      [2, 20, 0n],
      [3, 20, 1n],
      [3, 45, 0n],
    ] as const;
    for (const [holder, height, balance] of rows)
      store.commit({ height: 1, step: holder * 100 + height }, [
        written(assetBalanceHistoryTable, { asset: idOf<AssetId>(7), holder, height, balance }),
      ]);
    expireAssetBalanceHistory(store, { from: 50, to: 60 }, 30);
    expect(historyOf(store)).toEqual([
      [1, 10, 5],
      [1, 20, 6],
      [1, 40, 7],
      [2, 15, 5],
      [2, 20, 0],
      [3, 20, 1],
      [3, 45, 0],
    ]);
    expireAssetBalanceHistory(store, { from: 40, to: 50 }, 30);
    expect(historyOf(store)).toEqual([
      [1, 20, 6],
      [1, 40, 7],
      [3, 20, 1],
      [3, 45, 0],
    ]);
  });
});
