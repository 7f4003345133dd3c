/**
 * `npm run bench -- reads [FLAGS]`: requests a second of a node as `npm start` runs it, next to a constant response of
 * the same runtime, a bare D1 query and, if REFERENCE_URL names a node of the private network, that node. All alternate
 * in one run, at 16 connections and at one, so that other load of the machine affects all of them.
 *
 *     --seconds N   of one measurement, 3 by default; each is made --rounds N times (3), and the table shows the median
 *     --only A,B    rows by the beginning of their names, such as `height,block,cold`
 *     --size N      keys that are requested only once, 100,000 by default
 *     --chain DIR   instead: the p50 of reads on a chain of 10^5 blocks and 10^6 transactions next to that on its first
 *                   10^3 blocks. DIR holds the chain and the data; the first run creates and imports them, and can be
 *                   resumed
 *     --blocks N    another length of that chain
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { startNode } from "../local-node.ts";
import { type ConstantResponse, startBareRuntime } from "./parts/bare-runtime.ts";
import { compareChains } from "./parts/chain-comparison.ts";
import { coldRows } from "./parts/cold-rows.ts";
import { printTable } from "./parts/print-table.ts";
import { ReadMeasurements } from "./parts/read-measurements.ts";
import { type ReadRow, readRows } from "./parts/read-rows.ts";
import { type ReadsWorld, WorldBuilder } from "./parts/reads-world.ts";
import { type LoadRequest, RequestLoad } from "./parts/request-load.ts";

const connectionCounts = [16, 1];
const lookIntervalMs = 300;
/** Row that runs last: its transactions stay in the pool, which would affect other rows. */
const lastRow = "broadcast";
/** Headers of a connection, or set by the server itself. */
const ofConnection = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

const legend = `
ours       the node as \`npm start\` runs it: its front server and its runtime, on a private network that forges
constant   a Worker that answers the same bytes with the same headers: behind the same front server (door), and straight (bare)
D1         a Worker with one question by primary key, to a table of as many rows
cold       each key asked once, at 16 connections
CPU        microseconds of processor time an answer, of all processes of who answers
x          ours, divided by what stands before it; p50 and p99 are milliseconds; ! marks rows with requests that failed
`;

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    size: { type: "string", default: "100000" },
    chain: { type: "string", default: "" },
    blocks: { type: "string", default: "100000" },
  },
});
const [seconds, rounds, size, blocks] = (["seconds", "rounds", "size", "blocks"] as const).map((name) => {
  const value = Number(flags[name]);
  if (!(value > 0)) throw new Error(`--${name} expects a number above 0`);
  return value;
}) as [number, number, number, number];
const selected = flags.only.split(",").filter(Boolean);
const isSelected = (name: string): boolean => selected.length === 0 || selected.some((start) => name.startsWith(start));
const referenceUrl = (process.env["REFERENCE_URL"] ?? "").replace(/\/$/, "");

const load = new RequestLoad();
try {
  if (flags.chain === "") await measureNode();
  else await measureChains(path.resolve(flags.chain));
} finally {
  await load.stop();
}

async function measureChains(folder: string): Promise<void> {
  printTable(await compareChains(load, { folder, blocks, rounds, seconds, connectionCounts, isSelected, log }));
  process.stdout.write(`\n${circumstances()}\n`);
}

async function measureNode(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-reads-"));
  const started = await startNode(["--data", path.join(folder, "data"), "--quiet"]);
  try {
    await started.ready();
    await measure(started.url, started.process.pid as number);
  } finally {
    started.process.kill("SIGINT");
    await started.exited;
    rmSync(folder, { recursive: true });
  }
}

async function measure(url: string, pid: number): Promise<void> {
  const worldMaker = new WorldBuilder();
  const rows = readRows(worldMaker).filter(({ name }) => isSelected(name));
  log("filling the node");
  const world = await worldMaker.fill(url);
  const cold = coldRows.some(({ name }) => isSelected(name)) ? await worldMaker.fillCold(url, size) : undefined;
  if (referenceUrl !== "") log("filling the reference");
  const reference = referenceUrl === "" ? undefined : { url: referenceUrl, world: await worldMaker.fill(referenceUrl) };
  await Promise.all([url, referenceUrl].filter(Boolean).map(emptyBlock));
  const responses: ConstantResponse[] = [];
  for (const row of rows) responses.push(await constantResponse(url, firstOf(row, world)));
  const bare = await startBareRuntime({ responses, keys: cold?.addresses ?? [] });
  try {
    const { constant, point } = bare.addresses;
    const measurements = new ReadMeasurements({
      ...{ load, constant, point, reference, log },
      ours: { url, pid, world },
      barePid: bare.pid,
    });
    const shown: string[][] = [];
    const measureRow = async (row: ReadRow): Promise<void> => {
      for (const connections of connectionCounts)
        shown.push(await measurements.measure(row, { connections, rounds, seconds }));
    };
    for (const row of rows) if (row.name !== lastRow) await measureRow(row);
    const coldShown: string[][] = [];
    if (cold !== undefined)
      for (const row of coldRows) if (isSelected(row.name)) coldShown.push(await measurements.measureCold(row, cold));
    for (const row of rows) if (row.name === lastRow) await measureRow(row);
    for (const table of [
      [measurements.header, ...shown],
      [measurements.coldHeader, ...coldShown],
    ]) {
      if (table.length === 1) continue;
      printTable(table);
      process.stdout.write("\n");
    }
  } finally {
    await bare.stop();
  }
  process.stdout.write(`${legend}\n${circumstances()}; ${world.transactionsInBlock} transactions in the block\n`);
}

/** Circumstances printed with every table. */
function circumstances(): string {
  const [machine] = os.loadavg();
  const time = new Date().toISOString().slice(0, 16).replace("T", " ");
  return `${time} UTC, load of the machine ${machine?.toFixed(1)} on ${os.cpus().length} cores; ${rounds} rounds of ${seconds} s`;
}

/** Waits for a last block without transactions, which is then the same on all nodes. */
async function emptyBlock(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/blocks/headers/last`);
    const { transactionCount } = (await response.json()) as { readonly transactionCount: number };
    if (transactionCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookIntervalMs));
  }
}

function firstOf(row: ReadRow, world: ReadsWorld): LoadRequest {
  const request = row.requests([world], { connections: 1, seconds: 0.001 })[0]?.[0];
  if (request === undefined) throw new Error(`nothing is asked for ${row.name}`);
  return request;
}

/** The node's response, for the constant Worker. */
async function constantResponse(url: string, { path: request, body }: LoadRequest): Promise<ConstantResponse> {
  const sent = body === undefined ? {} : { method: "POST", body, headers: { "Content-Type": "application/json" } };
  const response = await fetch(`${url}${request}`, sent);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request} was answered with ${response.status}: ${text}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.has(name)));
  return { path: request, headers, text };
}

function log(text: string): void {
  process.stderr.write(`${text}\n`);
}
