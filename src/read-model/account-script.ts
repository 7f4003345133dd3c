/** Table `account_script`. */
import type { Address } from "../crypto/identities.ts";
import { accountStateKey } from "../network/remote-state-key.ts";
import { accountScriptTable } from "../tables/account-scripts.ts";
import { columnsOf } from "./columns.ts";
import { point, type Query, withRemoteKeys } from "./query.ts";

const columns = columnsOf(accountScriptTable, ["publicKey", "script", "verifierComplexity", "height"]);

/** `height`: height at which it was set. */
export type StoredAccountScript = ReturnType<typeof columns.read>;

/** Script of an account; undefined if it has none. */
export function accountScriptQuery(address: Address): Query<StoredAccountScript | undefined> {
  return withRemoteKeys(
    () => [accountStateKey("script", address)],
    point(`SELECT ${columns.sql} FROM account_script WHERE address = ?1`, [address], (row) => row && columns.read(row)),
  );
}
