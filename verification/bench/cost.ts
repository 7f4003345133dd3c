/**
 * `npm run bench -- cost [--requests N] [--blocks N]`: usage of everything Cloudflare charges for, per read of several
 * routes (cold: first request of its URL; hot: repeated) and per block, and its price by the published prices. The node
 * runs as with `npm start`, on a chain on which each block makes another one final, and reports its usage at
 * `/metrics`. See docs/cost.md.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { transfer } from "@waves/waves-transactions";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { maxForkDepth } from "../../src/rules/finality/finalized-height.ts";
import { startNode } from "../local-node.ts";
import { SimulatedNode } from "../simulation/simulated-node.ts";
import { NodeMeter, objectUsage, type Reading, routeUsage } from "./parts/node-meter.ts";
import { added, dollarsOf, lookedUp, monthOf, type Usage } from "./parts/prices.ts";
import { printTable } from "./parts/print-table.ts";
import { ProcessTree } from "./parts/process-tree.ts";

const { values: flags } = parseArgs({
  options: { requests: { type: "string", default: "200" }, blocks: { type: "string", default: "5" } },
});
const requests = Number(flags.requests);
const blocks = Number(flags.blocks);
if (!(requests > 0) || !(blocks > 0)) throw new Error("--requests and --blocks want numbers");

const apiKey = "waves-private-node";
const masterSeed = "waves private node seed with waves tokens";
const chainId = "R";
const TRANSFERS = 10;
/** Approximate time between two blocks. */
const DELAY_MS = 7_000;
/** Concurrent requests. */
const CONNECTIONS = 4;
const WAIT_MS = 100;

/** Counters that make every transfer and every request unique. */
let sent = 0;
let requestCount = 0;

const secondsOfMonth = 30 * 86_400;
/** The cron wakes ChainState once a minute: one request of the Worker, and one of the object. */
const cron: Usage = { workerRequests: 1, objectRequests: 1 };
const cronsOfMonth = secondsOfMonth / 60;

const folder = mkdtempSync(path.join(tmpdir(), "cost-"));
const chainFile = path.join(folder, "blocks");
writeFileSync(chainFile, recentChain());
const started = await startNode(["--memory", "--import", chainFile]);
const processes = new ProcessTree(started.process.pid as number);
try {
  const { url } = await started.ready();
  await measure(url);
} finally {
  processes.stop();
  started.process.kill("SIGINT");
  await (started.process.exitCode === null ? once(started.process, "exit") : undefined);
  rmSync(folder, { recursive: true });
}

/** @returns a block file: blocks of the private network up to now, enough that the first one is final */
function recentChain(): Uint8Array {
  const made = new SimulatedNode({ startMs: Date.now() - 2 * maxForkDepth * DELAY_MS });
  while (made.height <= maxForkDepth) made.step();
  const { chainId } = privateNetwork.blockchain;
  return Buffer.concat(made.keyBlocks.map((block) => encodeBlockRecord(encodeBlock(block, chainId))));
}

interface MeasuredRead {
  readonly name: string;
  readonly usage: Usage;
  readonly batches: number;
  readonly tiers: string;
  readonly processorMs: number;
}

async function measure(url: string): Promise<void> {
  const meter = new NodeMeter(url, apiKey, processes);
  // Read from the read model, so that ChainState stays idle.
  const height = async () => ((await (await fetch(`${url}/blocks/height`)).json()) as { height: number }).height;
  const untilHeight = async (targetHeight: number): Promise<Reading> => {
    while ((await height()) < targetHeight) await pause(WAIT_MS);
    return meter.read();
  };

  const ids = await sendTransfers(url, TRANSFERS);
  await untilConfirmed(url, ids);
  const idle = await perBlock(await untilHeight((await height()) + 1), async (from) => untilHeight(from + blocks));
  const before = await untilHeight((await height()) + 1);
  await untilConfirmed(url, await sendTransfers(url, TRANSFERS));
  const full = await perBlock(before, async (from) => untilHeight(from + blocks));
  const withTransfers = added([full.usage, full.blocks], [idle.usage, -full.blocks]);

  print("Per block", [
    ["", "requests", "GB-s", "SQL read", "SQL written", "D1 read", "D1 written", "KV written", "$ a million"],
    blockRow("empty key block", idle.usage),
    blockRow(`${TRANSFERS} transfers more`, withTransfers),
  ]);

  const reads = await measureReads(url, meter, ids);
  print("Per read", [
    ["", "tier", "D1 trips", "D1 rows", "KV reads", "KV writes", "object calls", "CPU ms", "$ a million"],
    ...reads.map(({ name, usage, batches, tiers, processorMs }) => [
      ...[
        name,
        tiers,
        figure(batches),
        figure(usage.d1RowsRead),
        figure(usage.kvReads),
        figure(usage.kvWrites),
        figure(usage.objectRequests),
      ],
      ...[processorMs.toFixed(2), (dollarsOf(usage) * 1e6).toFixed(2)],
    ]),
  ]);

  const blocksOfMonth = secondsOfMonth / idle.seconds;
  const resting = added([idle.usage, blocksOfMonth], [cron, cronsOfMonth]);
  const [cold, hot] = ["cold", "hot"].map((kind) => mean(reads.filter(({ name }) => name.endsWith(kind)))) as [
    Usage,
    Usage,
  ];
  const months = [100, 10_000].flatMap((rate) =>
    [1, 0.9, 0].map((share): string[] => {
      const all = rate * secondsOfMonth;
      const month = monthOf(added([resting, 1], [hot, all * share], [cold, all * (1 - share)]));
      return [`${rate} reads a second, ${share * 100} % from memory`, month.toFixed(0)];
    }),
  );
  print(`A month, prices of ${lookedUp}, a block each ${idle.seconds.toFixed(1)} s`, [
    ["", "$"],
    ["no reads", monthOf(resting).toFixed(2)],
    ...months,
  ]);
}

interface PerBlock {
  readonly usage: Usage;
  readonly blocks: number;
  /** Average block time. */
  readonly seconds: number;
}

/** @param until resolves with the reading at the end */
async function perBlock(before: Reading, until: (from: number) => Promise<Reading>): Promise<PerBlock> {
  const startedMs = performance.now();
  const after = await until(before.height);
  const count = after.height - before.height;
  const seconds = (performance.now() - startedMs) / 1_000 / count;
  return { usage: added([objectUsage(before, after), 1 / count]), blocks: count, seconds };
}

async function measureReads(url: string, meter: NodeMeter, ids: readonly string[]): Promise<MeasuredRead[]> {
  const top = (await meter.read()).height;
  const address = (index: number) => `3M4y7JizBf9jrJjAh6DNieaoLYZLoKY8hkn?${index}`;
  const routes: readonly (readonly [route: string, urlOf: (index: number) => string])[] = [
    ["/blocks/height", (index) => `/blocks/height?${index}`],
    ["/addresses/balance/:address", (index) => `/addresses/balance/${address(index)}`],
    ["/transactions/info/:id", (index) => `/transactions/info/${ids[index % ids.length]}?${index}`],
    ["/blocks/last", (index) => `/blocks/last?${index}`],
    ["/blocks/at/:height", (index) => `/blocks/at/${1 + (index % top)}?${index}`],
    [
      "/transactions/address/:address/limit/:limit",
      (index) => `/transactions/address/3M4y7JizBf9jrJjAh6DNieaoLYZLoKY8hkn/limit/10?${index}`,
    ],
    ["/transactions/unconfirmed/size", (index) => `/transactions/unconfirmed/size?${index}`],
  ];
  const measured: MeasuredRead[] = [];
  for (const [route, urlOf] of routes) {
    const cold = Array.from({ length: requests }, (_, index) => urlOf(index));
    const hot = Array.from({ length: requests }, () => urlOf(0));
    for (const [kind, paths] of [["cold", cold] as const, ["hot", hot] as const]) {
      const before = await meter.read();
      await requestAll(url, paths);
      const after = await meter.read();
      const { byTier, ...usage } = routeUsage(before, after, route);
      const processorMs = (after.processorMs - before.processorMs) / usage.requests;
      measured.push({
        name: `${route} ${kind}`,
        tiers: [...byTier].map(([tier, count]) => `${tier} ${Math.round((100 * count) / usage.requests)} %`).join(", "),
        batches: usage.d1Batches / usage.requests,
        processorMs,
        usage: {
          workerRequests: 1,
          workerCpuMs: processorMs,
          d1RowsRead: usage.d1RowsRead / usage.requests,
          kvReads: usage.kvReads / usage.requests,
          kvWrites: usage.kvWrites / usage.requests,
          objectRequests: usage.chainStateCalls / usage.requests,
        },
      });
    }
  }
  return measured;
}

/** Average over the reads, equally weighted. */
function mean(reads: readonly MeasuredRead[]): Usage {
  return added(...reads.map(({ usage }) => [usage, 1 / reads.length] as const));
}

async function requestAll(url: string, paths: readonly string[]): Promise<void> {
  const left = [...paths];
  const connection = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      // A unique header: the front server caches responses by request headers.
      const response = await fetch(url + path, { headers: { "X-Request": String(requestCount++) } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** @returns their ids */
async function sendTransfers(url: string, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () =>
    transfer({ recipient: "3M4y7JizBf9jrJjAh6DNieaoLYZLoKY8hkn", amount: 1_0000 + sent++, chainId }, masterSeed),
  );
  for (const each of made) {
    const body = JSON.stringify(each);
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${url}/transactions/broadcast`, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
  return made.map(({ id }) => id);
}

async function untilConfirmed(url: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) while (!(await fetch(`${url}/transactions/info/${id}`)).ok) await pause(WAIT_MS);
}

function blockRow(name: string, usage: Usage): string[] {
  const { objectRequests, objectGigabyteSeconds, objectRowsRead, objectRowsWritten } = usage;
  const { d1RowsRead, d1RowsWritten, kvWrites } = usage;
  const ofObject = [objectRequests, objectGigabyteSeconds, objectRowsRead, objectRowsWritten];
  return [name, ...[...ofObject, d1RowsRead, d1RowsWritten, kvWrites].map(figure), (dollarsOf(usage) * 1e6).toFixed(0)];
}

function figure(value = 0): string {
  return value.toFixed(value !== 0 && Math.abs(value) < 1 ? 3 : 1);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function print(title: string, rows: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${title}\n`);
  printTable(rows);
}
