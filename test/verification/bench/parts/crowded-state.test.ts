import { expect, test } from "vitest";
import type { Address } from "../../../../src/crypto/identities.ts";
import { insertCrowd } from "../../../../verification/bench/parts/crowded-state.ts";
import { stateDatabase } from "../../../../verification/sqlite/node-database.ts";

test("accounts that are never read have addresses of bytes like all others", () => {
  const { database } = stateDatabase();
  const touched = [new Uint8Array(26).fill(3) as Address];
  insertCrowd(database, { accounts: 300, touched });
  for (const table of ["account", "balance_history"])
    expect(
      database
        .prepare(
          `SELECT typeof(address) AS kind, length(address) AS bytes, COUNT(*) AS rows FROM ${table} GROUP BY 1, 2`,
        )
        .all(),
      table,
    ).toEqual([{ kind: "blob", bytes: 26, rows: 300 }]);
});
