import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { importBlocks } from "../../../../durable/chain-state/chain/import-blocks.ts";
import { openChain } from "../../../../durable/chain-state/chain/open-chain.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import { parseNetwork } from "../../../../src/network/parse-network.ts";
import { LongChain, longChainNetwork } from "../../../../verification/bench/parts/long-chain.ts";
import { stateDatabase } from "../../../../verification/sqlite/node-database.ts";

// More blocks than the depth of the hit source.
const height = 110;
const folder = mkdtempSync(path.join(os.tmpdir(), "long-chain-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a long chain is valid, and what is asked about it is in it", async () => {
  const file = path.join(folder, "whole.bin");
  const chain = new LongChain(height);
  await chain.write(file, () => {});
  const { blockchain, node } = parseNetwork(longChainNetwork(), "long chain");
  const database = stateDatabase();
  const opened = openChain({
    store: new StateStore(database),
    settings: blockchain,
    transaction: database.transaction,
    maxRollbackDepth: node.maxRollbackDepth,
    storage: node,
  });
  opened.liquid.ensureGenesis(Date.now());
  const imported = importBlocks(opened, readFileSync(file), { toHeight: undefined, nowMs: Date.now() });
  expect(imported).toEqual({ height, applied: height - 1 });
  for (const at of [2, 50, height])
    expect([...opened.stored.transactionsAt(at)].map(({ id }) => id)).toEqual(
      chain.transactionsAt(at).map(({ id }) => id),
    );
});

test("a file that was cut off is gone on with as if it had not been", async () => {
  const file = path.join(folder, "cut.bin");
  const chain = new LongChain(20);
  await chain.write(file, () => {});
  const whole = readFileSync(file);
  for (const cutBytes of [1, 5_000, whole.length - 2, whole.length]) {
    truncateSync(file, whole.length - cutBytes);
    await chain.write(file, () => {});
    expect(readFileSync(file).equals(whole)).toBe(true);
  }
});
