/** Tables `alias` and `account_alias`. */
import type { Address } from "../crypto/identities.ts";
import { accountStateKey, aliasStateKey } from "../network/remote-state-key.ts";
import { aliasTable } from "../tables/aliases.ts";
import { accountAliasTable } from "../tables/lists.ts";
import { columnsOf } from "./columns.ts";
import { point, type Query, query, withRemoteKeys } from "./query.ts";

const owner = columnsOf(aliasTable, ["address", "takenOver"]);

/** Current owner of an alias. */
export type AliasOwner = ReturnType<typeof owner.read>;

/** Finds the current owner of an alias. @param name without the `alias:R:` prefix */
export function aliasOwnerQuery(name: string): Query<AliasOwner | undefined> {
  return withRemoteKeys(
    () => [aliasStateKey(name)],
    point(`SELECT ${owner.sql} FROM alias WHERE name = ?1`, [name], (row) => row && owner.read(row)),
  );
}

const owned = columnsOf(aliasTable, ["name"]);

/** Subset of the names that are aliases of the account. */
export function ownedAliasesQuery(address: Address, names: readonly string[]): Query<ReadonlySet<string>> {
  return withRemoteKeys(
    () => names.map(aliasStateKey),
    query(
      `SELECT ${owned.sql} FROM alias WHERE name IN (SELECT value FROM json_each(?2)) AND address = ?1`,
      [address, JSON.stringify(names)],
      (rows) => new Set(rows.map((row) => owned.read(row).name)),
    ),
  );
}

const numbered = columnsOf(accountAliasTable, ["name", "number"], "taken");

const state = columnsOf(aliasTable, ["takenOver"]);

/** An alias with its number among all aliases of the chain. */
export type NumberedAlias = ReturnType<typeof numbered.read> & ReturnType<typeof state.read>;

/** Aliases of the account, newest first. @param before only numbers below this one */
export function aliasesOfAddressQuery(
  address: Address,
  before: number | undefined,
  limit: number,
): Query<readonly NumberedAlias[]> {
  return withRemoteKeys(
    () => [accountStateKey("aliases", address)],
    query(
      `SELECT ${numbered.sql}, ${state.sql} FROM account_alias taken
     JOIN alias ON alias.name = taken.name AND alias.address = taken.address
     WHERE taken.address = ?1 AND taken.number < ifnull(?2, ${Number.MAX_SAFE_INTEGER})
     ORDER BY taken.number DESC LIMIT ?3`,
      [address, before ?? null, limit],
      (rows) => rows.map((row) => ({ ...numbered.read(row), ...state.read(row) })),
    ),
  );
}
