/** For a call with more effects than a row can hold, the response says so in place of its effects. */
import { beforeAll, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { omittedCallRecord } from "../../../src/ride/results/call-record.ts";
import { testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

let database: D1Database;
beforeAll(async () => {
  database = await recordedReadModel();
});

const omitted = { stateChangesOmitted: "what the call did is larger than the node keeps" };

test.each([
  ["a call", 16, { stateChanges: null, ...omitted }],
  ["a call by an Ethereum wallet", 18, { payload: omitted }],
])("%s shows no state changes, and why", async (_, type, shown) => {
  const found = await database
    .prepare("SELECT id FROM tx WHERE type = ?1 AND call_record IS NOT NULL LIMIT 1")
    .bind(type)
    .run<{ readonly id: number[] }>();
  const id = Uint8Array.from(found.results[0]?.id ?? []);
  const node = testNode({ database, network: fixtureText("private-a/network.json") });
  const path = `/transactions/info/${encodeBase58(id)}`;
  const before = JSON.stringify(await (await node.fetch(path)).json());
  expect(before).toContain('"stateChanges":{');
  expect(before).not.toContain("Omitted");
  await database.batch([database.prepare("UPDATE tx SET call_record = ?1 WHERE id = ?2").bind(omittedCallRecord, id)]);
  const other = testNode({ database, network: fixtureText("private-a/network.json") });
  expect(await (await other.fetch(path)).json()).toMatchObject(shown);
});
