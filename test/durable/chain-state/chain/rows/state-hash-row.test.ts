/** Rows that count for the older state hash of their height. */
import { describe, expect, test } from "vitest";
import { stateHashChange } from "../../../../../durable/chain-state/chain/rows/state-hash-row.ts";
import { concatBytes } from "../../../../../src/crypto/bytes.ts";
import type { Digest } from "../../../../../src/crypto/identities.ts";
import { StateHashEntries, stateHashOfEntries } from "../../../../../src/protocol/snapshots/legacy-state-hash.ts";
import { accountScriptTable } from "../../../../../src/tables/account-scripts.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "../../../../../src/tables/accounts.ts";
import { aliasTable } from "../../../../../src/tables/aliases.ts";
import { type AssetRow, assetTable } from "../../../../../src/tables/assets.ts";
import { dataEntryTable } from "../../../../../src/tables/data-entries.ts";
import { leaseTable } from "../../../../../src/tables/leases.ts";
import { type RowChange, removed, written } from "../../../../../src/tables/schema/row-change.ts";
import { stateHashTable } from "../../../../../src/tables/state-hashes.ts";
import { addresses, assetId, keys, leaseId, transactionId } from "../../../../support/builders/sample-transactions.ts";
import { constantScript } from "../../../../support/builders/test-scripts.ts";
import { testStore } from "../../../../support/builders/test-store.ts";

const { alice, bob } = addresses;
const height = 5;
const snapshotHash = new Uint8Array(32).fill(3) as Digest;
const parentTotal = new Uint8Array(32).fill(4) as Digest;
const script = constantScript(true);
const asset: AssetRow = {
  ...{ id: assetId(1), issuer: keys.bob, originTransactionId: transactionId(1), issueHeight: 2, sequenceInBlock: 1 },
  ...{ decimals: 0, nft: false, volume: 1n, reissuable: false, name: new Uint8Array(), description: new Uint8Array() },
  ...{ textHeight: 2, script: undefined, scriptComplexity: 0n, scriptHeight: 0 },
  ...{ minSponsoredAssetFee: 0n, sponsorshipHeight: 0 },
};
const lease = {
  ...{ id: leaseId(1), sender: keys.alice, recipient: bob, amount: 1n, originTransactionId: transactionId(2) },
  ...{ height: 2, status: "active" as const, cancelHeight: undefined, cancelTransactionId: undefined },
};
const account = (balance: bigint, leaseIn = 0n, leaseOut = 0n) =>
  written(accountTable, { address: alice, balance, leaseIn, leaseOut });

/** Row that the changes leave, on top of others. */
function rowOf(changes: readonly RowChange[], before: readonly RowChange[] = []) {
  const { store } = testStore();
  const parent = { height: height - 1, total: parentTotal, sections: new Uint8Array(), snapshotHash };
  store.commit({ height: height - 1, step: 0 }, [...before, written(stateHashTable, parent)]);
  return stateHashChange(store, { height, step: 0 }, changes, { snapshotHash, generatorWeights: undefined });
}

/** Row of these entries. */
function rowWith(add: (entries: StateHashEntries) => void) {
  const entries = new StateHashEntries();
  add(entries);
  const { total, sections } = stateHashOfEntries(parentTotal, entries, undefined);
  return written(stateHashTable, { height, total, sections: concatBytes(...sections.values()), snapshotHash });
}
const nothing = rowWith(() => {});

describe("WAVES and leases", () => {
  test("count if they changed", () => {
    expect(rowOf([account(5n)])).toEqual(rowWith((entries) => entries.add("wavesBalance", alice, 5n)));
    expect(rowOf([account(6n, 1n, 2n)], [account(5n, 1n, 2n)])).toEqual(
      rowWith((entries) => entries.add("wavesBalance", alice, 6n)),
    );
    const leased = (leaseIn: bigint, out: bigint) =>
      rowWith((entries) => entries.add("leaseBalance", alice, { in: leaseIn, out }));
    expect(rowOf([account(5n, 2n, 2n)], [account(5n, 1n, 2n)])).toEqual(leased(2n, 2n));
    expect(rowOf([account(5n, 1n, 3n)], [account(5n, 1n, 2n)])).toEqual(leased(1n, 3n));
  });

  test("do not count if they are unchanged, even if zero", () => {
    expect(rowOf([account(5n, 1n, 2n)], [account(5n, 1n, 2n)])).toEqual(nothing);
    expect(rowOf([account(0n)])).toEqual(nothing);
    expect(rowOf([removed(accountTable, { address: alice })])).toEqual(nothing);
  });

  test("that are gone count as zeros", () => {
    expect(rowOf([removed(accountTable, { address: alice })], [account(5n, 1n, 2n)])).toEqual(
      rowWith((entries) => {
        entries.add("wavesBalance", alice, 0n);
        entries.add("leaseBalance", alice, { in: 0n, out: 0n });
      }),
    );
  });
});

describe("balances in assets", () => {
  const held = (balance: bigint) => written(assetBalanceTable, { address: alice, asset: asset.id, balance });

  test("count where they are other than before", () => {
    const counted = (balance: bigint) => rowWith((entries) => entries.add("assetBalance", alice, asset.id, balance));
    expect(rowOf([held(5n)])).toEqual(counted(5n));
    expect(rowOf([held(0n)], [held(5n)])).toEqual(counted(0n));
    expect(rowOf([removed(assetBalanceTable, { address: alice, asset: asset.id })], [held(5n)])).toEqual(counted(0n));
    expect(rowOf([held(5n)], [held(5n)])).toEqual(nothing);
    expect(rowOf([held(0n)])).toEqual(nothing);
  });
});

describe("all other writes count", () => {
  test("data and scripts of accounts, also when they go", () => {
    const value = { type: "integer", value: 1n } as const;
    expect(rowOf([written(dataEntryTable, { address: alice, key: "k", value })])).toEqual(
      rowWith((entries) => entries.add("dataEntry", alice, "k", value)),
    );
    expect(rowOf([removed(dataEntryTable, { address: alice, key: "k" })])).toEqual(
      rowWith((entries) => entries.add("dataEntry", alice, "k", null)),
    );
    const set = { address: alice, publicKey: keys.alice, script, verifierComplexity: 1n, height };
    expect(rowOf([written(accountScriptTable, set)])).toEqual(
      rowWith((entries) => entries.add("accountScript", alice, script)),
    );
    expect(rowOf([removed(accountScriptTable, { address: alice })])).toEqual(
      rowWith((entries) => entries.add("accountScript", alice, null)),
    );
  });

  test("leases, by whether they are active, and aliases", () => {
    expect(rowOf([written(leaseTable, lease)])).toEqual(
      rowWith((entries) => entries.add("leaseStatus", lease.id, true)),
    );
    expect(rowOf([written(leaseTable, { ...lease, status: "canceled" })])).toEqual(
      rowWith((entries) => entries.add("leaseStatus", lease.id, false)),
    );
    expect(rowOf([written(aliasTable, { name: "name", address: bob, takenOver: false })])).toEqual(
      rowWith((entries) => entries.add("alias", bob, "name")),
    );
  });
});

describe("an asset", () => {
  const put = (fields: Partial<AssetRow> = {}) => written(assetTable, { ...asset, ...fields });

  test("counts with its script, or without one, when it is issued", () => {
    expect(rowOf([put()])).toEqual(rowWith((entries) => entries.add("assetScript", asset.id, undefined)));
    expect(rowOf([put({ script })])).toEqual(rowWith((entries) => entries.add("assetScript", asset.id, script)));
  });

  test("counts later where script or sponsorship were set at the height, and not where anything else was", () => {
    expect(rowOf([put({ volume: 9n })], [put()])).toEqual(nothing);
    expect(rowOf([put({ script, scriptHeight: height - 1, sponsorshipHeight: height - 1 })], [put()])).toEqual(nothing);
    expect(rowOf([put({ script, scriptHeight: height })], [put()])).toEqual(
      rowWith((entries) => entries.add("assetScript", asset.id, script)),
    );
    expect(rowOf([put({ minSponsoredAssetFee: 7n, sponsorshipHeight: height })], [put()])).toEqual(
      rowWith((entries) => entries.add("sponsorship", asset.id, 7n)),
    );
  });
});

test("tables without a section do not count", () => {
  const history = { address: alice, height, balance: 5n, leaseIn: 0n, leaseOut: 0n };
  expect(rowOf([written(balanceHistoryTable, history)])).toEqual(nothing);
});

test("deleted rows do not count in sections that have no entry for a deletion", () => {
  const gone = [
    removed(assetTable, { id: asset.id }),
    removed(leaseTable, { id: lease.id }),
    removed(aliasTable, { name: "name" }),
  ];
  expect(rowOf(gone, [written(assetTable, asset), written(leaseTable, lease)])).toEqual(nothing);
});

test("only the first height needs no parent: a later one without its parent's row gets none", () => {
  const { store } = testStore();
  const first = stateHashChange(store, { height: 1, step: 0 }, [], { snapshotHash, generatorWeights: undefined });
  const { total } = stateHashOfEntries(undefined, new StateHashEntries(), undefined);
  expect(first?.row).toMatchObject({ height: 1, total });
  expect(
    stateHashChange(store, { height: 2, step: 0 }, [], { snapshotHash, generatorWeights: undefined }),
  ).toBeUndefined();
});
