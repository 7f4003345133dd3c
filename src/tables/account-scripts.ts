/** Scripts of accounts: verifiers and dApps. */
import type { Address, PublicKey } from "../crypto/identities.ts";
import type { Script } from "../protocol/transactions/transaction.ts";
import { bytes, i64, int, publishedLater } from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

export const accountScriptTable = table({
  name: "account_script",
  comment:
    "Scripts of accounts. height: at which it was set; its callables are known with the complexities of that time.",
  key: ["address"],
  columns: {
    address: bytes<Address>(),
    publicKey: bytes<PublicKey>(),
    script: bytes<Script>(),
    verifierComplexity: i64,
    /** Height at which the script was set: its callables are known with the complexities of that time. */
    height: publishedLater(int, 0),
  },
  published: true,
  inCheckpoint: "all",
});
export type AccountScriptRow = RowOf<typeof accountScriptTable>;
