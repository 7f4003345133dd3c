/**
 * Rows derived from the rows of a commit. No rule needs them: the REST interface uses them for lists.
 * @source Waves: database/Caches.scala (append), database/RocksDBWriter.scala (appendBalances, doAppend)
 */
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { type BytesKey, bytesKey } from "../../../../src/crypto/bytes.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { addressHash, bytesHash, inHashSetOrder, inHashTableOrder } from "../../../../src/protocol/hash-table-order.ts";
import { type AssetBalanceRow, accountTable, assetBalanceTable } from "../../../../src/tables/accounts.ts";
import { aliasTable } from "../../../../src/tables/aliases.ts";
import { type AssetRow, assetTable } from "../../../../src/tables/assets.ts";
import { transactionAddressTable } from "../../../../src/tables/blocks.ts";
import { type LeaseRow, leaseTable } from "../../../../src/tables/leases.ts";
import {
  accountAliasTable,
  accountLeaseTable,
  accountNftTable,
  accountNumberTable,
  assetBalanceHistoryTable,
  type CounterRow,
  counterTable,
} from "../../../../src/tables/lists.ts";
import { added, type RowChange, removed, written } from "../../../../src/tables/schema/row-change.ts";
import type { Row, Table } from "../../../../src/tables/schema/table.ts";
import type { CommitPosition, StateStore } from "../../state/state-store.ts";

export interface ListRowsOptions {
  readonly store: StateStore;
  readonly chainId: number;
  readonly position: CommitPosition;
  /** Rows that the commit is about to write. */
  readonly changes: readonly RowChange[];
}

type WithAddress = { readonly address: Address };

/** Rows for the lists. Cost: bounded by the rows of the commit. */
export function listRows(options: ListRowsOptions): RowChange[] {
  const numbers = new Map<BytesKey, number>();
  return [
    ...accountNumberRows(options, numbers),
    ...assetBalanceHistoryRows(options, numbers),
    ...nftRows(options),
    ...leaseRows(options),
    ...aliasRows(options),
  ];
}

/** Rows of one table that the commit writes. */
function rowsOf<R extends Row>({ changes }: ListRowsOptions, table: Table<R>): readonly R[] {
  // A change of a table holds a row of that table.
  return changes.flatMap((change) => (change.table === table && !change.removed ? [change.row as R] : []));
}

/** Assigns consecutive numbers to new items of a kind. */
class Counter {
  readonly #name: CounterRow["name"];
  readonly #before: number;
  #count: number;

  constructor(store: StateStore, name: CounterRow["name"]) {
    this.#name = name;
    this.#before = store.find(counterTable, { name })?.count ?? 0;
    this.#count = this.#before;
  }

  next(): number {
    this.#count += 1;
    return this.#count;
  }

  /** The counter's own row, if it has changed. */
  rows(): RowChange[] {
    if (this.#count === this.#before) return [];
    return [written(counterTable, { name: this.#name, count: this.#count })];
  }
}

/** Gives numbers to accounts that are new in the commit. @param numbers receives those of all accounts of the commit */
function accountNumberRows(options: ListRowsOptions, numbers: Map<BytesKey, number>): RowChange[] {
  const { store } = options;
  const named = new Map<BytesKey, WithAddress>();
  for (const table of [accountTable, assetBalanceTable, transactionAddressTable] as readonly Table<WithAddress>[])
    for (const { address } of rowsOf(options, table)) named.set(bytesKey(address), { address });
  store.prefetch(accountNumberTable, named.values());
  const unknown: Address[] = [];
  for (const [key, { address }] of named) {
    const row = store.find(accountNumberTable, { address });
    if (row === undefined) unknown.push(address);
    else numbers.set(key, row.number);
  }
  if (unknown.length === 0) return [];
  const counter = new Counter(store, "accounts");
  const rows = inHashSetOrder(unknown, addressHash).map((address): RowChange => {
    const number = counter.next();
    numbers.set(bytesKey(address), number);
    return added(accountNumberTable, { address, number });
  });
  return [...rows, ...counter.rows()];
}

function assetBalanceHistoryRows(options: ListRowsOptions, numbers: ReadonlyMap<BytesKey, number>): RowChange[] {
  const { height, step } = options.position;
  return rowsOf(options, assetBalanceTable).map(({ address, asset, balance }) => {
    // Every account of the commit already has its number.
    const row = { asset, holder: numbers.get(bytesKey(address)) as number, height, balance };
    return step === 0 ? added(assetBalanceHistoryTable, row) : written(assetBalanceHistoryTable, row);
  });
}

/** Rows of NFTs. An NFT keeps its position in the list of an account that sends it away and gets it back. */
function nftRows(options: ListRowsOptions): RowChange[] {
  const { store } = options;
  const held = nftBalances(options);
  if (held.length === 0) return [];
  const counter = new Counter(store, "nfts");
  const rows = held.flatMap(({ address, asset, balance }): RowChange[] => {
    const known = store.find(accountNftTable, { address, asset });
    const isHeld = balance > 0n;
    if (isHeld === (known?.isHeld ?? false)) return [];
    const row = { address, asset, number: known?.number ?? counter.next(), isHeld };
    return [known === undefined ? added(accountNftTable, row) : written(accountNftTable, row)];
  });
  return [...rows, ...counter.rows()];
}

function nftBalances(options: ListRowsOptions): readonly AssetBalanceRow[] {
  const written = rowsOf(options, assetBalanceTable);
  if (written.length === 0) return [];
  const issued = new Map<BytesKey, AssetRow>();
  for (const asset of rowsOf(options, assetTable)) issued.set(bytesKey(asset.id), asset);
  return written.filter(({ asset }) => {
    const description = issued.get(bytesKey(asset)) ?? options.store.find(assetTable, { id: asset });
    return description?.nft === true;
  });
}

/** Rows of leases, which are listed while they are active. */
function leaseRows(options: ListRowsOptions): RowChange[] {
  const { position, chainId } = options;
  const leases = rowsOf(options, leaseTable);
  if (leases.length === 0) return [];
  const isActive = ({ status }: LeaseRow) => status === "active";
  const made = leases.filter(({ height }) => height === position.height);
  const partiesOf = ({ sender, recipient }: LeaseRow) => [recipient, addressOfPublicKey(sender, chainId)];
  const counter = new Counter(options.store, "leases");
  const active = inHashTableOrder(made, ({ id }) => bytesHash(id)).filter(isActive);
  const listed = active.flatMap((lease) => {
    const number = counter.next();
    return partiesOf(lease).map((address) =>
      written(accountLeaseTable, { address, lease: lease.id, height: lease.height, number }),
    );
  });
  const ended = leases.filter((lease) => !isActive(lease));
  const unlisted = ended.flatMap((lease) =>
    partiesOf(lease).map((address) => removed(accountLeaseTable, { address, lease: lease.id })),
  );
  return [...listed, ...unlisted, ...counter.rows()];
}

function aliasRows(options: ListRowsOptions): RowChange[] {
  const aliases = rowsOf(options, aliasTable);
  if (aliases.length === 0) return [];
  const counter = new Counter(options.store, "aliases");
  const rows = aliases.map(({ address, name }) => added(accountAliasTable, { address, number: counter.next(), name }));
  return [...rows, ...counter.rows()];
}
