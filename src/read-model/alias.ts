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

/** A name with its number among all names of the chain. */
export interface NumberedAlias {
  readonly name: string;
  readonly number: number;
}

/** Names that stand for the account, newest first. @param before only numbers below this one */
export function aliasesOfAddressQuery(
  address: Address,
  before: number | undefined,
  limit: number,
): Query<readonly NumberedAlias[]> {
  return query<NumberedAlias, readonly NumberedAlias[]>(
    `SELECT taken.name AS name, taken.number AS number FROM account_alias taken
     JOIN alias ON alias.name = taken.name AND alias.address = taken.address
     WHERE taken.address = ?1 AND taken.number < ifnull(?2, ${Number.MAX_SAFE_INTEGER})
     ORDER BY taken.number DESC LIMIT ?3`,
    [address, before ?? null, limit],
    (rows) => rows.map(({ name, number }) => ({ name, number })),
  );
}
