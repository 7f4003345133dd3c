/** Table `account_script`. */
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { Script } from "../protocol/transactions/transaction.ts";
import { type BlobText, blob, bytesOf, type I64Text, i64, i64Of } from "./column.ts";
import { type Query, query } from "./query.ts";

export interface StoredAccountScript {
  readonly publicKey: PublicKey;
  readonly script: Script;
  readonly verifierComplexity: bigint;
  /** Where it was set. */
  readonly height: number;
}

interface AccountScriptRow {
  readonly public_key: BlobText;
  readonly script: BlobText;
  readonly verifier_complexity: I64Text;
  readonly height: number;
}

/** Undefined for an account without a script. */
export function accountScriptQuery(address: Address): Query<StoredAccountScript | undefined> {
  return query<AccountScriptRow, StoredAccountScript | undefined>(
    `SELECT ${blob("public_key")}, ${blob("script")}, ${i64("verifier_complexity")}, height
     FROM account_script WHERE address = ?1`,
    [address],
    ([row]) =>
      row && {
        publicKey: bytesOf(row.public_key),
        script: bytesOf(row.script),
        verifierComplexity: i64Of(row.verifier_complexity),
        height: row.height,
      },
  );
}
