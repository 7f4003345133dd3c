/**
 * `node scripts/make-databases.ts --out DIR`: makes the databases that a killed node leaves behind, to test that later
 * releases open them. Forges a chain, lets a node import it and mine on, locks the read model for a moment, and kills the
 * node with a liquid block, with transactions in its pool and with rows that wait to be published. Writes
 * `chain-state.sqlite.gz`, `read-model.sqlite.gz` and `network.json`.
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
import { allMakers, makeTransaction } from "./tools/chain-maker/all-makers.ts";
import type { MadeChain } from "./tools/chain-maker/forge-chain.ts";
import { writeChain } from "./tools/chain-maker/write-chain.ts";
import { projectRoot, startNode } from "./tools/local-node.ts";
import { databaseFiles } from "./tools/sqlite/database-files.ts";

const help = `node scripts/make-databases.ts --out DIR [FLAGS]   make databases of this release, for tests of later ones

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
const PATIENCE_MS = 120_000;

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
    keep(files.chainState, path.join(out, "chain-state.sqlite.gz"));
    keep(files.readModel, path.join(out, "read-model.sqlite.gz"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The database with what stands in its log, and without the pages that it has no use for. */
function keep(file: string, kept: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); VACUUM");
  database.close();
  const bytes = gzipSync(readFileSync(file), { level: 9 });
  writeFileSync(kept, bytes);
  process.stdout.write(`${kept}: ${bytes.length} bytes\n`);
}

async function runAndKill(project: string, folder: string, data: string, made: MadeChain): Promise<void> {
  const flags = ["--network", path.join(folder, "network.json"), "--data", data];
  const imported = ["--import", path.join(folder, "blocks.bin")];
  const started = await startNode([...flags, ...imported], project);
  const node = await started.ready();
  try {
    await until("the node forges", async () => {
      await offer(node.url, made);
      const { height } = (await (await fetch(`${node.url}/blocks/height`)).json()) as { height: number };
      return height >= BLOCKS + LIVE_BLOCKS;
    });
    const { chainState, readModel } = databaseFiles(path.join(data, "storage"));
    const lock = new DatabaseSync(readModel, { timeout: 10_000 });
    lock.exec("BEGIN IMMEDIATE");
    await until("micro-blocks wait to be published", async () => {
      await offer(node.url, made);
      return hasWaitingMicroBlocks(chainState);
    });
    await offer(node.url, made);
    await node.kill();
    lock.close();
  } finally {
    await node.kill();
  }
}

/** Lets the chain's users send what its makers think of; what is refused is refused. */
async function offer(url: string, { node, world }: MadeChain): Promise<void> {
  node.nowMs = Date.now();
  for (let count = 0; count < BURST; count++)
    await fetch(`${url}/transactions/broadcast`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: jsonText(transactionJson(makeTransaction(allMakers(), world))),
    });
}

function hasWaitingMicroBlocks(chainState: string): boolean {
  const database = new DatabaseSync(chainState, { readOnly: true, timeout: 10_000 });
  try {
    const found = database
      .prepare(
        `SELECT (SELECT MAX(position) FROM micro_block WHERE height = (SELECT MAX(height) FROM block)) AS steps,
           (SELECT COUNT(*) FROM outbox) AS waiting`,
      )
      .get();
    return Number(found?.["steps"]) >= MICRO_BLOCKS && Number(found?.["waiting"]) > 0;
  } finally {
    database.close();
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const startedMs = Date.now(); Date.now() - startedMs < PATIENCE_MS; ) {
    if (await isSo()) return;
    await setTimeout(PAUSE_MS);
  }
  throw new Error(`waited in vain: ${what}`);
}
