/**
 * `npm run bench -- load [--seconds N] [--rate N]`: a node as `npm start` runs it, with a 128 MB heap for its isolates,
 * at full load for a minute: a nearly full pool, transactions of all kinds and requests of all kinds over many
 * connections. Checks that every request got a response, that every key block came in time, and that memory stayed
 * flat; exit code 1 otherwise.
 *
 * `--rate N`: at most N broadcasts a second. `--functions`: also profiles the isolate, which itself costs time.
 */
import os from "node:os";
import { parseArgs } from "node:util";
import { findFreePort } from "../../local/runtime/free-port.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { parseBase64 } from "../../src/crypto/base64.ts";
import { startNode } from "../local-node.ts";
import { BlockArrivals } from "./parts/block-arrivals.ts";
import { findHeapLimit } from "./parts/heap-limit.ts";
import { Inspector } from "./parts/inspector.ts";
import { LoadClient, type Tally } from "./parts/load-client.ts";
import { dAppSource, LoadTransactions, type SentTransaction } from "./parts/load-transactions.ts";
import { findViolations, type LoadMeasurements } from "./parts/load-verdict.ts";
import { MemorySamples } from "./parts/memory-samples.ts";
import { NodeLoad } from "./parts/node-load.ts";
import { percentile } from "./parts/percentile.ts";
import { printProfile } from "./parts/print-profile.ts";
import { ProcessTree } from "./parts/process-tree.ts";

const heapMegabytes = 128;
/** Size of the large transactions with a low fee a byte that fill the pool; they wait while others pass them. */
const poolFillBytes = 42_000_000;
const fillEntries = { entries: 5, bytesEach: 20_000 } as const;
const fillers = 4;
const confirmTimeoutMs = 120_000;
/** Number of memory samples: data on its way to readers comes and goes. */
const liveSamples = 12;

const legend = `
refused    for want of room in the pool, as its limits say; or asked about what is not there yet
arrival    from a block's timestamp, which is the earliest that its generator may give it, until a client reads it
isolate    that of Worker and ChainState; it is filled until it dies when all else is done, to show that the bound acts
`;

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    rate: { type: "string", default: "0" },
    functions: { type: "boolean", default: false },
  },
});
const loadMs = Number(flags.seconds) * 1_000;
const broadcastsPerSecond = Number(flags.rate);
if (!(loadMs > 0) || !(broadcastsPerSecond >= 0)) throw new Error("--seconds and --rate want numbers");

process.env["MINIFLARE_WORKERD_V8_FLAGS"] = `--max-heap-size=${heapMegabytes}`;
const inspectorPort = await findFreePort("127.0.0.1", 0);
const started = await startNode(["--memory", "--inspect", String(inspectorPort)]);
const tree = new ProcessTree(started.process.pid as number);
try {
  const node = await started.ready();
  process.exitCode = (await run(node.url)) ? 0 : 1;
} finally {
  tree.stop();
  started.process.kill("SIGINT");
  await started.exited;
}

/** @returns true if all checks hold */
async function run(url: string): Promise<boolean> {
  const inspector = await Inspector.connect(inspectorPort, "node");
  const made = new LoadTransactions();
  await prepare(url, made);
  const client = new LoadClient(url);
  const poolSize = async () => (await client.get("/transactions/unconfirmed/size")).text;
  const poolAtStart = await poolSize();
  const memory = new MemorySamples(inspector, () => runtimeUsage().megabytes);
  const arrivals = new BlockArrivals(new LoadClient(url), () => runtimeUsage().waitedSeconds * 1_000);
  const load = new NodeLoad(url, made, broadcastsPerSecond);
  const before = runtimeUsage();
  memory.start();
  const looks = setInterval(() => void memory.collect(), loadMs / liveSamples);
  const running = load.run(loadMs);
  const profile = flags.functions ? await inspector.profile(() => running) : void (await running);
  clearInterval(looks);
  memory.stop();
  await arrivals.stop();
  const after = runtimeUsage();
  const poolAtEnd = await poolSize();
  const hasCrashed = runtimes() > 1;
  const measured: LoadMeasurements = {
    errors: [[...load.tallies.values()].flatMap(({ errorTexts }) => errorTexts), arrivals.errors, memory.errors].flat(),
    hasCrashed,
    lateMs: arrivals.keyBlocks.map(({ lateMs }) => lateMs),
    ownMs: arrivals.keyBlocks.map(({ lateMs, waitedMs }) => Math.max(lateMs - waitedMs, 0)),
    liveMegabytes: memory.liveMegabytes,
    residentMegabytes: memory.residentMegabytes,
    // Last, because the isolate does not survive it.
    heapLimitMegabytes: hasCrashed ? undefined : await findHeapLimit(inspector, 2 * heapMegabytes),
  };

  const seconds = loadMs / 1_000;
  printTallies(load.tallies, seconds);
  const [machine] = os.loadavg();
  const shown = {
    "key blocks": `${measured.lateMs.length}, arrival ${milliseconds(measured.lateMs)}`,
    "  less the wait for a core": milliseconds(measured.ownMs),
    "micro-blocks": `${arrivals.microBlocksMs.length}, from one to the next ${milliseconds(arrivals.microBlocksMs)}`,
    "transactions in blocks": `${arrivals.transactions}, ${(arrivals.transactions / seconds).toFixed(0)} a second`,
    pool: `${poolAtStart} at the start, ${poolAtEnd} at the end`,
    "heap, with garbage": range(memory.heapMegabytes),
    "buffers, with garbage": range(memory.bufferMegabytes),
    "in use of both": `${memory.liveMegabytes.map((megabytes) => megabytes.toFixed(0)).join(", ")} MB`,
    "process of workerd": range(memory.residentMegabytes),
    "isolate died at": `${measured.heapLimitMegabytes?.toFixed(0) ?? "no"} MB of ${heapMegabytes} allowed`,
    "isolate answered after": milliseconds(memory.responsesMs),
    "CPU of workerd": `${(after.processorSeconds - before.processorSeconds).toFixed(1)} s`,
    "  waited for a core": `${(after.waitedSeconds - before.waitedSeconds).toFixed(1)} s`,
    "load of the machine": `${machine?.toFixed(1)} on ${os.cpus().length} cores`,
  };
  for (const [name, fact] of Object.entries(shown)) process.stdout.write(`${name.padEnd(28)}${fact}\n`);
  process.stdout.write(legend);
  if (profile !== undefined) await printProfile(profile);
  const errors = findViolations(measured);
  process.stdout.write(`\n${errors.length === 0 ? "holds" : `does not hold: ${errors.join("; ")}`}\n`);
  if (errors.length > 0) process.stdout.write(started.output());
  return errors.length === 0;
}

function milliseconds(values: readonly number[]): string {
  const shown = [0.5, 0.99, 1].map((share) => percentile(values, share)?.toFixed(0) ?? "none");
  return `p50 ${shown[0]}, p99 ${shown[1]}, longest ${shown[2]} ms`;
}

function range(values: readonly number[]): string {
  return `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)} MB`;
}

/** Creates accounts with WAVES, dApps with scripts, and a nearly full pool. */
async function prepare(url: string, made: LoadTransactions): Promise<void> {
  const client = new LoadClient(url);
  process.stderr.write("preparing: accounts, scripts, a full pool\n");
  await confirmed(client, made.funding());
  const { text } = await client.post("/utils/script/compileCode", dAppSource, "text/plain");
  const script = parseBase64((JSON.parse(text) as { script: string }).script);
  if (!(script instanceof Uint8Array)) throw new Error(text);
  await confirmed(client, made.scripts(script));
  const { entries, bytesEach } = fillEntries;
  let bytes = 0;
  const fill = async (filler: LoadClient): Promise<void> => {
    while (bytes < poolFillBytes) {
      const sent = made.data(entries, bytesEach);
      bytes += sent.transaction.bytes.length;
      await accepted(filler, sent);
    }
    filler.close();
  };
  await Promise.all(Array.from({ length: fillers }, () => fill(new LoadClient(url))));
}

async function accepted(client: LoadClient, { json }: SentTransaction): Promise<void> {
  const { status, text } = await client.post("/transactions/broadcast", json);
  if (status !== 200) throw new Error(text);
}

async function confirmed(client: LoadClient, sent: readonly SentTransaction[]): Promise<void> {
  for (const each of sent) await accepted(client, each);
  const ids = sent.map(({ transaction }) => `id=${encodeBase58(transaction.id)}`).join("&");
  const deadlineMs = Date.now() + confirmTimeoutMs;
  for (;;) {
    const { text } = await client.get(`/transactions/status?${ids}`);
    const states = JSON.parse(text) as readonly { readonly status: string }[];
    if (states.every(({ status }) => status === "confirmed")) return;
    if (Date.now() > deadlineMs) throw new Error(`not confirmed: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function runtimeUsage() {
  const usage = tree
    .usage()
    .filter(({ name }) => name === "workerd")
    .at(-1);
  if (usage === undefined) throw new Error("there is no runtime");
  return usage;
}

/** Number of runtime processes so far: more than one means a crash. */
function runtimes(): number {
  return tree.usage().filter(({ name }) => name === "workerd").length;
}

function printTallies(tallies: ReadonlyMap<string, Tally>, seconds: number): void {
  const rows = [...tallies]
    .sort(([left], [right]) => (left < right ? 1 : -1))
    .map(([name, { done, refused, errors, latenciesMs }]) => [
      name,
      String(done),
      String(refused),
      String(errors),
      (latenciesMs.length / seconds).toFixed(0),
      ...[0.5, 0.99, 1].map((share) => percentile(latenciesMs, share)?.toFixed(0) ?? ""),
    ]);
  const header = ["request", "done", "refused", "errors", "a second", "p50 ms", "p99 ms", "longest"];
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? "").length)));
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    process.stdout.write(`${cells.join("  ")}\n`);
  }
  process.stdout.write("\n");
}
