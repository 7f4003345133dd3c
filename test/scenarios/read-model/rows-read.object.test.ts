/** Rows that lists read in D1, as counted by its own runtime: no more than they show. */
import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../src/crypto/identities.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { withChain } from "../../../src/read-model/chain.ts";
import { generatorsQuery } from "../../../src/read-model/generator.ts";
import type { Statement } from "../../../src/read-model/query.ts";
import {
  smallTransactionsOfAddressQuery,
  transactionQuery,
  transactionsOfAddressQuery,
} from "../../../src/read-model/transaction.ts";
import { schemaSql } from "../../../src/tables/all-tables.ts";

const address = new Uint8Array(26).fill(1) as Uint8Array as Address;
const limitBytes = 2 ** 21;
/** Number of blocks in the chain, and of transactions; every tenth creates a lease. */
const height = 200;
/** Number of generators committed to the period from 101 on; their balances change with each of its blocks. */
const committee = 1_000;
const periodStart = 101;
/** Extra rows of every such statement: the height of the chain, and the feature of version 5. */
const around = 2;

beforeAll(async () => {
  const statements = [
    ...schemaSql("readModel"),
    `INSERT INTO chain (id, version, epoch, height, published_at, finalized_height, identity, sequence, batch, is_whole)
       VALUES (1, 'tip', 0, ${height}, 0, 100, 'genesis/drawn', 1, 'batch', 1)`,
    "INSERT INTO feature (id, activation_height) VALUES (15, 1)",
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${height})
       INSERT INTO tx (id, height, position, type, status, spent_complexity, bytes, json)
       SELECT CAST(printf('%032d', i) AS BLOB), i, 0, iif(i % 10 = 0, 8, 4), 0, 0, zeroblob(200), '{"id":"a"}' FROM n`,
    `INSERT INTO tx_address (address, height, position) SELECT unhex('${"01".repeat(26)}'), height, position FROM tx`,
    `INSERT INTO lease (id, sender, recipient, amount, origin_tx, height, status)
       SELECT id, zeroblob(32), zeroblob(26), 1, id, height, 0 FROM tx WHERE type = 8`,
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${committee - 1})
       INSERT INTO commitment (period_start, position, address, public_key, endorser_key, tx_id, height)
       SELECT ${periodStart}, i, zeroblob(26), zeroblob(32), zeroblob(48), zeroblob(32), 100 FROM n`,
    `INSERT INTO generator_balance (period_start, position, height, balance)
       SELECT period_start, member.position, tx.height, tx.height FROM commitment member JOIN tx ON tx.height BETWEEN ${periodStart} AND ${periodStart + 19}`,
    `INSERT INTO generator_conflict (period_start, position, height) VALUES (${periodStart}, 3, 105), (${periodStart}, 4, 110)`,
  ];
  await env.DB.batch(statements.map((sql) => env.DB.prepare(sql)));
});
afterAll(() => reset());

async function runQuery({ sql, bindings }: Statement): Promise<{ readonly found: number; readonly rows: number }> {
  const { results, meta } = await env.DB.prepare(sql)
    .bind(...bindings)
    .all();
  return { found: results.length, rows: meta.rows_read };
}

test.each([1, 10, 100])(
  "a list of %i transactions takes a row of the list and one of the transaction for each",
  async (limit) => {
    const page = { address, limit, after: undefined };
    const leases = Math.ceil(limit / 10);
    expect(await runQuery(smallTransactionsOfAddressQuery(page, limitBytes))).toEqual({
      found: limit,
      rows: 2 * limit + leases + around,
    });
  },
);

test("where it is counted what they have together, it takes five", async () => {
  const { found, rows } = await runQuery(
    transactionsOfAddressQuery({ address, limit: 10, after: undefined }, limitBytes),
  );
  expect(found).toBe(10);
  expect(rows).toBeGreaterThan(50);
  expect(rows).toBeLessThanOrEqual(55);
});

test.each([
  ["a transaction takes its row and that of the index", 7, 0],
  ["one that made a lease takes its row, too", 10, 1],
])("%s", async (_, number, leases) => {
  const id = new TextEncoder().encode(String(number).padStart(32, "0")) as Uint8Array as TransactionId;
  const alone = await runQuery(transactionQuery(id));
  expect(alone).toEqual({ found: 1, rows: 2 + leases + around });
  // The row of `chain`, and the joined one.
  expect(await runQuery(withChain(transactionQuery(id)))).toEqual({ found: 1, rows: alone.rows + 2 });
});

test("a committee takes two rows for each member, however often what they count for has changed", async () => {
  const conflicts = 2;
  const { found, rows } = await runQuery(generatorsQuery(periodStart, height));
  expect(found).toBe(committee);
  expect(rows).toBeLessThanOrEqual(2 * committee + conflicts);
});
