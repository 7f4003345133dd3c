/** Table `data_entry`: the entries of an account's data storage. */
import { encodeHex } from "../crypto/hex.ts";
import type { Address } from "../crypto/identities.ts";
import { accountStateKey, entryStateKey } from "../network/remote-state-key.ts";
import { dataEntryTable } from "../tables/data-entries.ts";
import { int } from "../tables/schema/column.ts";
import { columnsOf, computed } from "./columns.ts";
import { oneOf, point, type Query, query, withRemoteKeys } from "./query.ts";
import { byKeyIndex, keyIndex } from "./requested-keys.ts";

const entry = columnsOf(dataEntryTable, ["key", "value"], "entry");

/** An entry that exists: a deleted one has no row. */
export type StoredDataEntry = ReturnType<typeof entry.read>;

export function dataEntryQuery(address: Address, key: string): Query<StoredDataEntry | undefined> {
  const single = point(
    `SELECT ${entry.sql} FROM data_entry entry WHERE address = ?1 AND key = ?2`,
    [address, key],
    (row) => row && entry.read(row),
  );
  return withRemoteKeys(() => [entryStateKey(address, key)], oneOf(entriesAtQuery, { address, key }, single));
}

/** Entries in the order of the given accounts and keys. */
export function entriesAtQuery(
  keys: readonly { readonly address: Address; readonly key: string }[],
): Query<readonly (StoredDataEntry | undefined)[]> {
  return withRemoteKeys(
    () => keys.map(({ address, key }) => entryStateKey(address, key)),
    query(
      `WITH wanted AS (SELECT key AS place, unhex(value ->> 0) AS address, value ->> 1 AS name FROM json_each(?1))
     SELECT ${keyIndex.sql}, ${entry.sql}
     FROM wanted CROSS JOIN data_entry entry ON entry.address = wanted.address AND entry.key = wanted.name`,
      [JSON.stringify(keys.map(({ address, key }) => [encodeHex(address), key]))],
      (rows) => byKeyIndex(keys, rows, entry.read, undefined),
    ),
  );
}

/** Limit of one read: number of entries, and bytes of keys and values; the first entry is read in any case. */
export interface ReadLimit {
  readonly entries: number;
  readonly bytes: number;
}

/** A page of an account's entries. */
export interface DataEntryPage {
  readonly entries: readonly StoredDataEntry[];
  /** Whether it is the last page. */
  readonly isLast: boolean;
}

const entriesOfPage = computed("page_entries", int, "(SELECT count(*) FROM page)");

/** Entries of an account in the order of their keys' UTF-8 bytes. @param after only keys after this one */
export function dataEntriesQuery(address: Address, after: string | undefined, limit: ReadLimit): Query<DataEntryPage> {
  const page = query(
    `WITH page AS (
       SELECT key, length(value) AS size_bytes FROM data_entry
       WHERE address = ?1 AND key ${after === undefined ? ">=" : ">"} ?2 ORDER BY key LIMIT ?3
     ), measured AS (
       SELECT key, sum(size_bytes + length(CAST(key AS BLOB))) OVER (ORDER BY key) AS total_bytes,
         row_number() OVER (ORDER BY key) AS place
       FROM page
     )
     SELECT ${entry.sql}, ${entriesOfPage.sql} FROM measured
     CROSS JOIN data_entry entry ON entry.address = ?1 AND entry.key = measured.key
     WHERE total_bytes <= ?4 OR place = 1 ORDER BY place`,
    [address, after ?? "", limit.entries, limit.bytes],
    (rows) => {
      const found = rows[0] === undefined ? 0 : entriesOfPage.read(rows[0]);
      return { entries: rows.map(entry.read), isLast: found < limit.entries && rows.length === found };
    },
  );
  return withRemoteKeys(() => [accountStateKey("entries", address)], page);
}

/** An entry for a list of keys, without its value if the read limit is reached. */
export interface FoundDataEntry {
  /** Index of the key in the list, from 0. */
  readonly index: number;
  readonly entry: StoredDataEntry | undefined;
}

const firstEntries = entry.when("total_bytes <= ?3 OR number = 1");

/**
 * Existing entries of an account, in the order of the given keys.
 * @param limitBytes limit of the values' total size; the first one is read in any case
 */
export function dataEntriesOfKeysQuery(
  address: Address,
  keys: readonly string[],
  limitBytes: number,
): Query<readonly FoundDataEntry[]> {
  const found = query(
    `WITH wanted AS (SELECT key AS place, value AS name FROM json_each(?2)), found AS (
       SELECT place, name, sum(length(entry.value)) OVER (ORDER BY place) AS total_bytes,
         row_number() OVER (ORDER BY place) AS number
       FROM wanted CROSS JOIN data_entry entry ON entry.address = ?1 AND entry.key = wanted.name
     )
     SELECT ${keyIndex.sql}, ${firstEntries.sql}
     FROM found CROSS JOIN data_entry entry ON entry.address = ?1 AND entry.key = found.name ORDER BY place`,
    [address, JSON.stringify(keys), limitBytes],
    (rows) => rows.map((row) => ({ index: keyIndex.read(row), entry: firstEntries.find(row) })),
  );
  return withRemoteKeys(() => keys.map((key) => entryStateKey(address, key)), found);
}
