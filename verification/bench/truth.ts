/**
 * `npm run bench -- truth [--seconds N] [--seed TEXT]`: 8 clients read a node as `npm start` runs it in all forms while
 * it forges blocks and micro-blocks of transfers and is rolled back twice; all responses are compared. Finds responses
 * that mix two states or are too old, missing transactions, and data readable too late; exit code 1 after an error. The
 * seed decides the requests and transactions, not the times of blocks.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startNode } from "../local-node.ts";
import { percentile } from "./parts/percentile.ts";
import { printTable } from "./parts/print-table.ts";
import { TruthClient } from "./parts/truth-client.ts";
import { TruthReader } from "./parts/truth-reader.ts";
import { carriedWavelets, initialWavelets, TruthWorld } from "./parts/truth-world.ts";
import {
  followHeights,
  followTransactions,
  lookForAccepted,
  rollBack,
  sendTransfers,
  watchChain,
} from "./parts/truth-writer.ts";

const readers = 8;
const transfersPerSecond = 40;
/** Promised age of a response, and delay of a confirmed transaction. */
const maxAgeMs = 1_000;
const maxLagMs = 1_000;

const { values: flags } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, seed: { type: "string", default: randomUUID() } },
});
const loadMs = Number(flags.seconds) * 1_000;
if (!(loadMs > 0)) throw new Error("--seconds expects a number above 0");

const folder = mkdtempSync(path.join(os.tmpdir(), "bench-truth-"));
const started = await startNode(["--data", path.join(folder, "data"), "--quiet"]);
try {
  await started.ready();
  process.exitCode = (await watch(started.url)) ? 0 : 1;
} finally {
  started.process.kill("SIGINT");
  await started.exited;
  rmSync(folder, { recursive: true });
}

/** @returns true if no error was found */
async function watch(url: string): Promise<boolean> {
  const world = new TruthWorld(flags.seed);
  await prepare(world, url);
  const endMs = performance.now() + loadMs;
  const clients = Array.from({ length: readers }, () => new TruthReader(world, url, maxAgeMs));
  const [transactionLagsMs, heightLagsMs] = await Promise.all([
    followTransactions(world, url, endMs),
    followHeights(world, url, endMs),
    ...clients.map((reader) => reader.run(endMs)),
    sendTransfers(world, url, endMs, transfersPerSecond),
    lookForAccepted(world, url, endMs),
    watchChain(world, url, endMs),
    rollBacks(world, url),
  ]);
  await seeRewards(world, url);
  world.found("balances", world.states.findSumErrors(initialWavelets, carriedWavelets));
  for (const [kind, lagsMs] of [
    ["confirmed transactions", transactionLagsMs],
    ["new heights", heightLagsMs],
  ] as const) {
    const p99 = percentile(lagsMs, 0.99);
    const lagText = p99 === undefined ? "none was followed" : `readable after ${p99.toFixed(0)} ms at p99`;
    world.found(kind, p99 === undefined || p99 > maxLagMs ? [lagText] : []);
  }
  const { rows, errors } = world.report();
  printTable([["what was looked at", "times", "found"], ...rows]);
  process.stdout.write("\n");
  printTable([
    ["milliseconds", "count", "p50", "p99", "most"],
    ["age of answers that show the tip", ...figures(world.agesMs)],
    ["from leaving the pool to being read", ...figures(transactionLagsMs)],
    ["from ChainState's height to readers'", ...figures(heightLagsMs)],
  ]);
  const load = os.loadavg()[0]?.toFixed(1);
  process.stdout.write(
    `\n${world.states.count} states, ${world.states.sumCount} sums of balances, ${world.accepted.length} transfers, ${world.rollbacks.length} rollbacks; seed ${flags.seed}, load of the machine ${load}\n`,
  );
  for (const { toHeight, startMs, endMs } of world.rollbacks)
    process.stdout.write(`rollback to ${toHeight} from ${startMs.toFixed(0)} to ${endMs.toFixed(0)} ms\n`);
  for (const error of errors) process.stdout.write(`${error}\n`);
  return errors.length === 0;
}

/** Funds all accounts, in a block that is not the last. */
async function prepare(world: TruthWorld, url: string): Promise<void> {
  const client = new TruthClient(url);
  for (const body of world.funding()) {
    const { status, text } = await client.request("/transactions/broadcast", { body });
    if (status !== 200) throw new Error(`funding: ${status} ${text}`);
  }
  const heightOf = async () =>
    Number((JSON.parse((await client.request("/blocks/height")).text) as { height: number }).height);
  // Rollbacks remove two blocks.
  const enough = (await heightOf()) + 4;
  while ((await heightOf()) < enough) await new Promise((resolve) => setTimeout(resolve, 100));
  client.close();
}

/** One rollback returns the transactions to the pool, the other one does not. */
async function rollBacks(world: TruthWorld, url: string): Promise<void> {
  for (const returnsTransactions of [true, false]) {
    await new Promise((resolve) => setTimeout(resolve, loadMs / 3));
    await rollBack(world, url, returnsTransactions);
  }
}

async function seeRewards(world: TruthWorld, url: string): Promise<void> {
  const client = new TruthClient(url);
  for (let from = 2; ; from += 100) {
    const { text } = await client.request(`/blocks/headers/seq/${from}/${from + 99}`);
    const headers = JSON.parse(text) as readonly { readonly height: number; readonly reward?: number }[];
    for (const { height, reward = 0 } of headers) world.states.seeReward(height, reward);
    if (headers.length < 100) break;
  }
  client.close();
}

function figures(values: readonly number[]): string[] {
  const shown = (value: number | undefined) => value?.toFixed(0) ?? "";
  return [
    String(values.length),
    shown(percentile(values, 0.5)),
    shown(percentile(values, 0.99)),
    shown(percentile(values, 1)),
  ];
}
