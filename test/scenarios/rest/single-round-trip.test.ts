/**
 * Transactions and related rows (leases, aliases) come from D1 in one round trip, on a chain that the reference
 * recorded.
 */
import { beforeAll, expect, test } from "vitest";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const network = fixtureText("private-a/network.json");
let d1: D1Database;
let batches = 0;

beforeAll(async () => {
  d1 = await recordedReadModel();
});

/** Queries a Worker without earlier reads. */
async function tripsOf(path: string): Promise<{ readonly text: string; readonly trips: number }> {
  const methods = {
    prepare: (sql: string) => d1.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => {
      batches++;
      return d1.batch(statements);
    },
  };
  const session = { ...methods, getBookmark: () => "bookmark" };
  const node = testNode({ database: { ...methods, withSession: () => session } as unknown as D1Database, network });
  batches = 0;
  const text = await (await node.fetch(path)).text();
  return { text, trips: batches };
}

async function column(sql: string): Promise<readonly Uint8Array[]> {
  const [answer] = await d1.batch<{ readonly found: string }>([d1.prepare(sql)]);
  return (answer as D1Result<{ readonly found: string }>).results.map(({ found }) => decodeHex(found));
}

test.each([TransactionType.Lease, TransactionType.LeaseCancel])("a transaction of type %i", async (type) => {
  const ids = await column(`SELECT hex(id) AS found FROM tx WHERE type = ${type} LIMIT 20`);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) {
    const { text, trips } = await tripsOf(`/transactions/info/${encodeBase58(id)}`);
    expect(trips, text).toBe(1);
    expect(text).toMatch(type === TransactionType.Lease ? /"status":"(active|canceled)"/ : /"lease":\{"id"/);
  }
});

/** Data that depend on a record or on call data. */
const lookedInto = /"lease(s|Cancels)":\[\{|"payload":\{"type":"transfer"[^}]*"asset":"/;

test("lists of accounts", async () => {
  const accounts = await column("SELECT DISTINCT hex(address) AS found FROM tx_address");
  const seen = { leases: 0, names: 0 };
  for (const account of accounts) {
    const { text, trips } = await tripsOf(`/transactions/address/${addressText(account as Address)}/limit/100`);
    if (lookedInto.test(text)) continue;
    expect(trips, addressText(account as Address)).toBe(1);
    seen.leases += Number(text.includes('"type":9,'));
    seen.names += Number(/"transfers":\[[^\]]*"recipient":"alias:/.test(text));
  }
  expect(seen.leases).toBeGreaterThan(0);
  expect(seen.names).toBeGreaterThan(0);
});
