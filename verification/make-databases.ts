/**
 * `npx node verification/make-databases.ts --out DIR`: produces the databases that a killed node leaves, to test that
 * later releases open them. Forges a chain, lets a node import it and continue mining, locks the read model for a
 * moment, and kills the node with a liquid block, with transactions in its pool and with rows waiting to be published.
 * Writes `chain-state.sqlite.gz`, `read-model.sqlite.gz` and `network.json`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { jsonText } from "../src/protocol/json.ts";
import { transactionJson } from "../src/protocol/transactions/transaction-json.ts";
import { allTransactionGenerators, makeTransaction } from "./chain-generator/all-transaction-generators.ts";
import type { GeneratedChain } from "./chain-generator/forge-chain.ts";
import { writeChain } from "./chain-generator/write-chain.ts";
import { projectRoot, startNode } from "./local-node.ts";
import { databaseFiles } from "./sqlite/database-files.ts";

const help = `npx node verification/make-databases.ts --out DIR [FLAGS]   make databases of this release, for tests of later ones

  --project DIR    an installed older release, whose code is to write them; by default this one
`;

const SEED = 23;
const BLOCKS = 18;
/** Blocks that the node forges by itself before it is killed. */
const LIVE_BLOCKS = 2;
/** Micro-blocks of the tip when it is killed. */
const MICRO_BLOCKS = 2;
const BURST = 2;
const PAUSE_MS = 300;
const WAIT_TIMEOUT_MS = 120_000;

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "" },
    project: { type: "string", default: projectRoot },
    help: { type: "boolean", default: false },
  },
});

if (values.help || values.out === "") process.stdout.write(help);
else await make(values.out, path.resolve(values.project));

async function make(out: string, project: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "make-databases-"));
  try {
    const { chain } = writeChain(folder, { variant: "active", seed: SEED, blocks: BLOCKS });
    const data = path.join(folder, "data");
    await runAndKill(project, folder, data, chain);
    mkdirSync(out, { recursive: true });
    writeFileSync(path.join(out, "network.json"), jsonText(chain.network.json));
    const files = databaseFiles(path.join(data, "storage"));
    store(files.chainState, path.join(out, "chain-state.sqlite.gz"));
    store(files.readModel, path.join(out, "read-model.sqlite.gz"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Copies the database with its write-ahead log applied and unused pages removed. */
function store(file: string, target: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM");
  database.close();
  const bytes = gzipSync(readFileSync(file), { level: 9 });
  writeFileSync(target, bytes);
  process.stdout.write(`${target}: ${bytes.length} bytes\n`);
}

async function runAndKill(project: string, folder: string, data: string, made: GeneratedChain): Promise<void> {
  const flags = ["--network", path.join(folder, "network.json"), "--data", data];
  const imported = ["--import", path.join(folder, "blocks.bin")];
  const started = await startNode([...flags, ...imported], project);
  const node = await started.ready();
  try {
    await until("the node forges", async () => {
      await broadcastBurst(node.url, made);
      const { height } = (await (await fetch(`${node.url}/blocks/height`)).json()) as { height: number };
      return height >= BLOCKS + LIVE_BLOCKS;
    });
    const { chainState, readModel } = databaseFiles(path.join(data, "storage"));
    const lock = new DatabaseSync(readModel, { timeout: 10_000 });
    lock.exec("BEGIN IMMEDIATE");
    await until("micro-blocks wait to be published, and transactions for a block", async () => {
      await broadcastBurst(node.url, made);
      return isInTheMiddle(chainState);
    });
    await node.kill();
    lock.close();
  } finally {
    await node.kill();
  }
}

/** Broadcasts random transactions of the chain's users; refusals are ignored. */
async function broadcastBurst(url: string, { node, world }: GeneratedChain): Promise<void> {
  node.nowMs = Date.now();
  for (let count = 0; count < BURST; count++)
    await fetch(`${url}/transactions/broadcast`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: jsonText(transactionJson(makeTransaction(allTransactionGenerators(), world))),
    });
}

/** True if a node killed now leaves all the wanted state. */
function isInTheMiddle(chainState: string): boolean {
  const database = new DatabaseSync(chainState, { readOnly: true, timeout: 10_000 });
  try {
    const found = database
      .prepare(
        `SELECT (SELECT MAX(position) FROM micro_block WHERE height = (SELECT MAX(height) FROM block)) AS steps,
           (SELECT COUNT(*) FROM outbox) AS unpublished, (SELECT COUNT(*) FROM pool) AS unconfirmed`,
      )
      .get();
    const { steps, unpublished, unconfirmed } = found ?? {};
    return Number(steps) >= MICRO_BLOCKS && Number(unpublished) > 0 && Number(unconfirmed) > 0;
  } finally {
    database.close();
  }
}

async function until(condition: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const startedMs = Date.now(); Date.now() - startedMs < WAIT_TIMEOUT_MS; ) {
    if (await isSo()) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`timeout: ${condition}`);
}
