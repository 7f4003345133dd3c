/** Table `alias`. */
import type { Address } from "../crypto/identities.ts";
import { type BlobText, blob, bytesOf } from "./column.ts";
import { type Query, query } from "./query.ts";

/** The account that a name stands for. @param name without the `alias:R:` prefix */
export function aliasOwnerQuery(name: string): Query<Address | undefined> {
  return query<{ readonly address: BlobText }, Address | undefined>(
    `SELECT ${blob("address")} FROM alias WHERE name = ?1`,
    [name],
    ([row]) => row && bytesOf(row.address),
  );
}

/** Those of the names that stand for the account. */
export function ownedAliasesQuery(address: Address, names: readonly string[]): Query<ReadonlySet<string>> {
  return query<{ readonly name: string }, ReadonlySet<string>>(
    "SELECT name FROM alias WHERE name IN (SELECT value FROM json_each(?2)) AND address = ?1",
    [address, JSON.stringify(names)],
    (rows) => new Set(rows.map(({ name }) => name)),
  );
}
