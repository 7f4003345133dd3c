/** Rows of the changes by a block or micro-block. */
import { describe, expect, test } from "vitest";
import { changedRows } from "../../../../../durable/chain-state/chain/rows/changed-rows.ts";
import type { Address } from "../../../../../src/crypto/identities.ts";
import type { Snapshot } from "../../../../../src/protocol/snapshots/snapshot.ts";
import type { OrderId } from "../../../../../src/protocol/transactions/order.ts";
import { OverlayView } from "../../../../../src/rules/state/overlay-view.ts";
import { accountScriptTable } from "../../../../../src/tables/account-scripts.ts";
import { accountTable, assetBalanceTable, balanceHistoryTable } from "../../../../../src/tables/accounts.ts";
import { aliasTable } from "../../../../../src/tables/aliases.ts";
import { assetTable } from "../../../../../src/tables/assets.ts";
import { dataEntryTable, dataOwnerTable } from "../../../../../src/tables/data-entries.ts";
import { leaseTable } from "../../../../../src/tables/leases.ts";
import { orderFillTable } from "../../../../../src/tables/order-fills.ts";
import { added, removed, written } from "../../../../../src/tables/schema/row-change.ts";
import {
  addresses,
  assetId,
  chainId,
  keys,
  leaseId,
  transactionId,
} from "../../../../support/builders/sample-transactions.ts";
import { constantScript } from "../../../../support/builders/test-scripts.ts";
import { InMemoryState } from "../../../../support/fakes/in-memory-state.ts";

const { alice, bob } = addresses;
const height = 101;

/** Rows of the state snapshots, on top of a state made by others. */
function rowsOf(snapshots: readonly Snapshot[], before: readonly Snapshot[] = [], isNewHeight = true) {
  const base = new InMemoryState({ height: height - 1 });
  for (const snapshot of before) base.apply(snapshot);
  const overlay = new OverlayView(base, { height });
  for (const snapshot of snapshots) overlay.apply(snapshot);
  return changedRows(overlay.changes, overlay, isNewHeight);
}

describe("balances", () => {
  const account = (address: Address, balance: bigint, leaseIn = 0n, leaseOut = 0n) => ({
    ...{ address, balance, leaseIn, leaseOut },
  });
  const waves = (address: Address, balance: bigint): Snapshot => ({ balances: [{ address, asset: null, balance }] });
  const leases = (address: Address, leaseIn: bigint, out: bigint): Snapshot => ({
    leaseBalances: [{ address, in: leaseIn, out }],
  });

  test("of WAVES and leases make one row, if either changed, and one of the history", () => {
    const before = [waves(alice, 5n), leases(alice, 1n, 2n), waves(bob, 7n)];
    expect(rowsOf([waves(alice, 6n), leases(bob, 3n, 4n)], before)).toEqual([
      written(accountTable, account(alice, 6n, 1n, 2n)),
      added(balanceHistoryTable, { ...account(alice, 6n, 1n, 2n), height }),
      written(accountTable, account(bob, 7n, 3n, 4n)),
      added(balanceHistoryTable, { ...account(bob, 7n, 3n, 4n), height }),
    ]);
  });

  test("may have a row of the history already where a key block was extended", () => {
    expect(rowsOf([waves(alice, 6n)], [], false)).toEqual([
      written(accountTable, account(alice, 6n)),
      written(balanceHistoryTable, { ...account(alice, 6n), height }),
    ]);
  });

  test("of assets make one each", () => {
    const asset = assetId(1);
    expect(rowsOf([{ balances: [{ address: alice, asset, balance: 0n }] }])).toEqual([
      written(assetBalanceTable, { address: alice, asset, balance: 0n }),
    ]);
  });
});

describe("an asset", () => {
  const asset = assetId(1);
  const statics = { assetId: asset, issuer: keys.bob, decimals: 2, nft: false };
  const issued: Snapshot = {
    assetStatics: [{ ...statics, originTransactionId: transactionId(1) }],
    assetVolumes: [{ assetId: asset, reissuable: true, volume: 9n }],
  };
  const row = {
    ...{ id: asset, issuer: keys.bob, originTransactionId: transactionId(1), issueHeight: height },
    ...{ sequenceInBlock: 1, decimals: 2, nft: false, volume: 9n, reissuable: true },
    ...{ name: new Uint8Array(), description: new Uint8Array(), textHeight: height },
    ...{ script: undefined, scriptComplexity: 0n, scriptHeight: 0 },
    ...{ minSponsoredAssetFee: 0n, sponsorshipHeight: 0 },
  };

  test("has all its known properties", () => {
    expect(rowsOf([issued])).toEqual([written(assetTable, row)]);
  });

  test("has its script with the complexity", () => {
    const script = constantScript(true);
    expect(rowsOf([issued, { assetScripts: [{ assetId: asset, script, complexity: 5n }] }])).toEqual([
      written(assetTable, { ...row, script, scriptComplexity: 5n, scriptHeight: height }),
    ]);
  });
});

test("a lease is stored under its id", () => {
  const lease = { sender: keys.alice, recipient: bob, amount: 4n, originTransactionId: transactionId(2) };
  expect(rowsOf([{ newLeases: [{ leaseId: leaseId(3), ...lease }] }])).toEqual([
    written(leaseTable, {
      ...{ id: leaseId(3), ...lease, height, status: "active" },
      ...{ cancelHeight: undefined, cancelTransactionId: undefined },
    }),
  ]);
});

test("an alias says whether it had an owner before", () => {
  const alias = { chainId, name: "name" };
  const rows = (before: readonly Snapshot[]) => rowsOf([{ aliases: [{ alias, address: bob }] }], before);
  expect(rows([])).toEqual([written(aliasTable, { name: "name", address: bob, takenOver: false })]);
  expect(rows([{ aliases: [{ alias, address: alice }] }])).toEqual([
    written(aliasTable, { name: "name", address: bob, takenOver: true }),
  ]);
});

test("an order has its filled amount", () => {
  const orderId = new Uint8Array(32).fill(4) as OrderId;
  expect(rowsOf([{ orderFills: [{ orderId, volume: 5n, fee: 6n }] }])).toEqual([
    written(orderFillTable, { id: orderId, volume: 5n, fee: 6n }),
  ]);
});

test("a script of an account has the height where it was set; without one there is no row", () => {
  const script = constantScript(true);
  const set = (code: typeof script | null): Snapshot => ({
    accountScripts: [{ publicKey: keys.alice, script: code, verifierComplexity: 3n }],
  });
  expect(rowsOf([set(script)])).toEqual([
    written(accountScriptTable, { address: alice, publicKey: keys.alice, script, verifierComplexity: 3n, height }),
  ]);
  expect(rowsOf([set(null)], [set(script)])).toEqual([removed(accountScriptTable, { address: alice })]);
});

describe("data", () => {
  const value = { type: "integer", value: 1n } as const;
  const wrote = (...entries: NonNullable<Snapshot["accountData"]>[number]["entries"]): Snapshot => ({
    accountData: [{ address: alice, entries }],
  });
  const owner = written(dataOwnerTable, { address: alice });

  test("has a row for each entry, and none for a deleted one", () => {
    expect(rowsOf([wrote({ key: "a", value }, { key: "b", value: null })])).toEqual([
      written(dataEntryTable, { address: alice, key: "a", value }),
      removed(dataEntryTable, { address: alice, key: "b" }),
      owner,
    ]);
  });

  test("of an account that had some before does not make it an owner again", () => {
    const view = new InMemoryState({ height: height - 1 });
    const overlay = new OverlayView(Object.assign(view, { hasStoredData: () => true }), { height });
    overlay.apply(wrote({ key: "a", value }));
    expect(changedRows(overlay.changes, overlay, true)).toEqual([
      written(dataEntryTable, { address: alice, key: "a", value }),
    ]);
  });

  test("without entries makes no account an owner, next to one with entries", () => {
    const none: Snapshot = { accountData: [{ address: bob, entries: [] }] };
    expect(rowsOf([none])).toEqual([]);
    expect(rowsOf([none, wrote({ key: "a", value })])).toEqual([
      written(dataEntryTable, { address: alice, key: "a", value }),
      owner,
    ]);
  });

  test("with half a surrogate pair in its key is stored as its bytes are: with a question mark", () => {
    expect(rowsOf([wrote({ key: "\ud83d", value })])).toEqual([
      written(dataEntryTable, { address: alice, key: "?", value }),
      owner,
    ]);
  });
});
