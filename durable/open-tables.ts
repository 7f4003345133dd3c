/** The tables of ChainState's SQLite: made for a new object, checked for an old one. */

import { sha256 } from "../src/crypto/hash.ts";
import { encodeHex } from "../src/crypto/hex.ts";
import { createPoolTableSql } from "./pool/sql-pool-storage.ts";
import { createStateTables, type StateStore, stateTablesSql } from "./state/state-store.ts";

/** Tells one layout of the tables from every other one. */
export function tablesLayout(): string {
  const statements = [...stateTablesSql, createPoolTableSql].join(";");
  return encodeHex(sha256(new TextEncoder().encode(statements))).slice(0, 16);
}

/**
 * Makes the tables of a new object; checks that those of an old one belong to this network and this version.
 * @param genesis base58 of the genesis block's signature
 * @throws Error when they do not
 */
export function openTables(store: StateStore, genesis: string, transaction: (run: () => void) => void): void {
  const layout = tablesLayout();
  const isNew = store.scalar("SELECT 1 FROM sqlite_master WHERE name = 'meta'") === undefined;
  if (isNew)
    transaction(() => {
      createStateTables(store.sql);
      store.sql.exec(createPoolTableSql);
      store.putMeta("genesis", genesis);
      store.putMeta("layout", layout);
    });
  const foundGenesis = store.findMeta("genesis");
  if (foundGenesis !== genesis)
    throw new Error(`the state belongs to the chain with genesis ${foundGenesis}, not to this network's ${genesis}`);
  const foundLayout = store.findMeta("layout");
  if (foundLayout !== layout)
    throw new Error(`the state has the table layout ${foundLayout} of another version; this one reads ${layout}`);
}
