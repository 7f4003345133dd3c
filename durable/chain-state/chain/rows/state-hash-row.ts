/**
 * The legacy state hash of the tip as a row, recomputed by each commit: it covers all changes of the height.
 * @source docs/protocol/snapshots-and-state-hash.md 8; Waves: database/Caches.scala (append)
 */
import { concatBytes } from "../../../../src/crypto/bytes.ts";
import type { Digest } from "../../../../src/crypto/identities.ts";
import { StateHashEntries, stateHashOfEntries } from "../../../../src/protocol/snapshots/legacy-state-hash.ts";
import { type AccountScriptRow, accountScriptTable } from "../../../../src/tables/account-scripts.ts";
import {
  type AccountRow,
  type AssetBalanceRow,
  accountTable,
  assetBalanceTable,
} from "../../../../src/tables/accounts.ts";
import { type AliasRow, aliasTable } from "../../../../src/tables/aliases.ts";
import { type AssetRow, assetTable } from "../../../../src/tables/assets.ts";
import { type CommitmentRow, commitmentTable } from "../../../../src/tables/commitments.ts";
import { type DataEntryRow, dataEntryTable } from "../../../../src/tables/data-entries.ts";
import { type LeaseRow, leaseTable } from "../../../../src/tables/leases.ts";
import { type RowChange, written } from "../../../../src/tables/schema/row-change.ts";
import type { Row, Table } from "../../../../src/tables/schema/table.ts";
import { stateHashTable } from "../../../../src/tables/state-hashes.ts";
import { heightChanges } from "../../state/height-changes.ts";
import type { CommitPosition, StateStore } from "../../state/state-store.ts";

/** Adds entries for a row that the height wrote. @param before undefined if there was none */
type AddEntries<R extends Row> = (
  entries: StateHashEntries,
  change: { readonly key: R; readonly before: R | undefined; readonly after: R | undefined },
  height: number,
) => void;

function entriesOfTable<R extends Row>(table: Table<R>, add: AddEntries<R>): readonly [Table, AddEntries<Row>] {
  // The map below pairs each table with the function for its rows.
  return [table, add as AddEntries<Row>];
}

/**
 * Functions by table. Balances count only if they differ from those before the height; other written rows always do.
 */
const sectionsOfTables: ReadonlyMap<Table, AddEntries<Row>> = new Map([
  entriesOfTable<AccountRow>(accountTable, (entries, { key, before, after }) => {
    const { address } = key;
    const { balance = 0n, leaseIn = 0n, leaseOut = 0n } = after ?? {};
    if (balance !== (before?.balance ?? 0n)) entries.add("wavesBalance", address, balance);
    if (leaseIn !== (before?.leaseIn ?? 0n) || leaseOut !== (before?.leaseOut ?? 0n))
      entries.add("leaseBalance", address, { in: leaseIn, out: leaseOut });
  }),
  entriesOfTable<AssetBalanceRow>(assetBalanceTable, (entries, { key, before, after }) => {
    const balance = after?.balance ?? 0n;
    if (balance !== (before?.balance ?? 0n)) entries.add("assetBalance", key.address, key.asset, balance);
  }),
  entriesOfTable<DataEntryRow>(dataEntryTable, (entries, { key, after }) => {
    entries.add("dataEntry", key.address, key.key, after?.value ?? null);
  }),
  entriesOfTable<AccountScriptRow>(accountScriptTable, (entries, { key, after }) => {
    entries.add("accountScript", key.address, after?.script ?? null);
  }),
  entriesOfTable<AssetRow>(assetTable, (entries, { key, before, after }, height) => {
    if (after === undefined) return;
    if (before === undefined || after.scriptHeight === height) entries.add("assetScript", key.id, after.script);
    if (after.sponsorshipHeight === height) entries.add("sponsorship", key.id, after.minSponsoredAssetFee);
  }),
  entriesOfTable<LeaseRow>(leaseTable, (entries, { key, after }) => {
    if (after !== undefined) entries.add("leaseStatus", key.id, after.status === "active");
  }),
  entriesOfTable<AliasRow>(aliasTable, (entries, { key, after }) => {
    if (after !== undefined) entries.add("alias", after.address, key.name);
  }),
  entriesOfTable<CommitmentRow>(commitmentTable, (entries, { after }) => {
    if (after !== undefined) entries.add("nextCommittedGenerators", after.publicKey, after.endorserPublicKey);
  }),
]);
const hashedTables = new Set(sectionsOfTables.keys());

/**
 * The row of the commit's height.
 * @param changes rows that the commit is about to write
 * @param facts `generatorWeights`: as in `ChainCommit`
 * @returns undefined if the parent has no state hash to continue
 * Cost: bounded by the changes of the height so far.
 */
export function stateHashChange(
  store: StateStore,
  position: CommitPosition,
  changes: readonly RowChange[],
  facts: { readonly snapshotHash: Digest; readonly generatorWeights: readonly bigint[] | undefined },
): RowChange | undefined {
  const { height } = position;
  const parent = store.find(stateHashTable, { height: height - 1 });
  if (parent === undefined && height > 1) return undefined;
  const entries = new StateHashEntries();
  for (const change of heightChanges(store, position, changes, hashedTables))
    sectionsOfTables.get(change.table)?.(entries, change, height);
  const { total, sections } = stateHashOfEntries(parent?.total, entries, facts.generatorWeights);
  return written(stateHashTable, {
    height,
    total,
    sections: concatBytes(...sections.values()),
    snapshotHash: facts.snapshotHash,
  });
}
