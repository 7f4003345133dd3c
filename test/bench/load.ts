/**
 * `npm run bench -- load [--seconds N] [--rate N]`: a node as `npm start` runs it, whose isolates have a heap of 128 MB,
 * under as much load as it takes for a minute: its pool nearly full, transactions of all kinds and questions of all kinds
 * from many connections. Says whether every request was answered, every key block came in time, and memory stayed flat;
 * ends with code 1 where not.
 *
 * `--rate N`: so many broadcasts a second at most. `--functions`: prints where the isolate spends its time, too (and that
 * costs time itself).
 */
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { bundleWorkers } from "../../scripts/runner/bundle.ts";
import { findFreePort } from "../../scripts/runner/free-port.ts";
import { projectRoot, startNode } from "../../scripts/tools/local-node.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { parseBase64 } from "../../src/crypto/base64.ts";
import { BlockArrivals } from "./parts/block-arrivals.ts";
import { findHeapLimit } from "./parts/heap-limit.ts";
import { Inspector } from "./parts/inspector.ts";
import { LoadClient, type Tally } from "./parts/load-client.ts";
import { dAppSource, LoadTransactions, type SentTransaction } from "./parts/load-transactions.ts";
import { MemorySamples } from "./parts/memory-samples.ts";
import { NodeLoad } from "./parts/node-load.ts";
import { percentile } from "./parts/percentile.ts";
import { ProcessTree } from "./parts/process-tree.ts";
import { sharesOf } from "./parts/profile-shares.ts";

const heapMegabytes = 128;
/** Of large transactions that pay little for a byte: they wait in the pool while others pass them. */
const poolFillBytes = 42_000_000;
const fillEntries = { entries: 5, bytesEach: 20_000 } as const;
const fillers = 4;
const confirmTimeoutMs = 120_000;
const bytesPerMegabyte = 1_048_576;
const shownFunctions = 40;

/** What has to hold. */
const bounds = {
  keyBlockMs: 2_000,
  /** Between a third of the load and its end, of what is in use after a garbage collection. */
  heapGrowthMegabytes: 10,
  /** Of the most that the process had, from the second to the last third. */
  residentGrowth: 0.15,
} as const;

const legend = `
refused   broadcasts for which the pool has no room, as its limits say
arrival   from a block's timestamp, which is the earliest that its generator may give it, until a client reads it
heap      of the isolate with Worker and ChainState: in use, garbage included / what is in use after a collection
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

async function run(url: string): Promise<boolean> {
  const inspector = await Inspector.connect(inspectorPort, "node");
  const made = new LoadTransactions();
  const first = new LoadClient(url);
  await prepare(url, made);
  const memory = new MemorySamples(inspector, () => runtimeUsage().megabytes);
  await inspector.collectGarbage();
  const arrivals = new BlockArrivals(new LoadClient(url), () => runtimeUsage().waitedSeconds * 1_000);
  const load = new NodeLoad(url, made, broadcastsPerSecond);
  const before = runtimeUsage();
  const liveMegabytes: number[] = [];
  const collect = async (): Promise<void> => {
    await inspector.collectGarbage();
    liveMegabytes.push((await inspector.heapUsage()).usedSize / bytesPerMegabyte);
  };
  const third = setTimeout(() => void collect().catch(() => {}), loadMs / 3);
  memory.start();
  const running = load.run(loadMs);
  const profile = flags.functions ? await inspector.profile(() => running) : void (await running);
  clearTimeout(third);
  memory.stop();
  await arrivals.stop();
  const after = runtimeUsage();
  const size = await first.get("/transactions/unconfirmed/size");
  await collect().catch(() => {});
  const isAlive = runtimes() === 1;
  const limit = await findHeapLimit(inspector, 2 * heapMegabytes);

  const seconds = loadMs / 1_000;
  const lateMs = arrivals.keyBlocks.map((block) => block.lateMs);
  printTallies(load.tallies, seconds);
  const ms = (values: readonly number[]) =>
    `${[0.5, 0.99, 1].map((share) => percentile(values, share)?.toFixed(0) ?? "none").join(" / ")} ms`;
  const [live, end] = [liveMegabytes[0] ?? Number.NaN, liveMegabytes[1] ?? Number.NaN];
  const residentGrowth = memory.residentGrowth();
  const [machine] = os.loadavg();
  const facts = [
    ["key blocks", `${arrivals.keyBlocks.length}, arrival p50 / p99 / longest ${ms(lateMs)}`],
    ["of it without a core", ms(arrivals.keyBlocks.map(({ waitedMs }) => waitedMs))],
    ["micro-blocks", `${arrivals.microBlocksMs.length}, from one to the next ${ms(arrivals.microBlocksMs)}`],
    ["transactions in blocks", `${arrivals.transactions}, ${(arrivals.transactions / seconds).toFixed(0)} a second`],
    ["pool at the end", size.text],
    ["heap, MB", `${memory.heap()} / ${live.toFixed(1)} at a third, ${end.toFixed(1)} at the end`],
    ["buffers beside it, MB", memory.buffers()],
    ["memory of workerd, MB", memory.resident()],
    ["isolate dies at", limit === undefined ? "not at all" : `${limit.toFixed(0)} MB, of ${heapMegabytes}`],
    ["CPU of workerd", `${(after.processorSeconds - before.processorSeconds).toFixed(1)} s of ${seconds} s`],
    ["waited for a core", `${(after.waitedSeconds - before.waitedSeconds).toFixed(1)} s`],
    ["the isolate answered the inspector after", ms(memory.answersMs)],
    ["load of the machine", `${machine?.toFixed(1)} on ${os.cpus().length} cores`],
  ] as const;
  for (const [name, fact] of facts) process.stdout.write(`${name.padEnd(42)}${fact}\n`);
  process.stdout.write(legend);
  if (profile !== undefined) {
    const bundles = await bundleWorkers(projectRoot, path.join(projectRoot, "node_modules", ".cache", "bundles.json"));
    const shares = sharesOf(profile, bundles.node);
    for (const [title, part] of [
      ["functions", shares.byFunction],
      ["with what they call", shares.byCall],
    ] as const) {
      process.stdout.write(`\n${title}\n`);
      for (const [name, share] of [...part].slice(0, shownFunctions))
        process.stdout.write(`${(share * 100).toFixed(1).padStart(6)}%  ${name}\n`);
    }
  }

  const errorTexts = [...load.tallies.values()].flatMap((tally) => tally.errorTexts).concat(arrivals.errors);
  const latestMs = percentile(lateMs, 0.99);
  const faults = [
    errorTexts.length === 0 ? undefined : `errors, such as ${errorTexts.slice(0, 3).join("; ")}`,
    isAlive ? undefined : `the runtime crashed: ${started.output().slice(-500)}`,
    latestMs === undefined ? "no key block came" : undefined,
    latestMs !== undefined && latestMs >= bounds.keyBlockMs ? `a key block came ${latestMs} ms late` : undefined,
    end - live <= bounds.heapGrowthMegabytes ? undefined : `the heap grew by ${(end - live).toFixed(1)} MB`,
    residentGrowth <= bounds.residentGrowth ? undefined : `memory grew by ${(residentGrowth * 100).toFixed(0)} %`,
    limit === undefined ? "the bound on the heap does not act" : undefined,
  ].filter((fault) => fault !== undefined);
  process.stdout.write(`\n${faults.length === 0 ? "holds" : `does not hold: ${faults.join("; ")}`}\n`);
  return faults.length === 0;
}

/** Accounts with WAVES, dApps with scripts, and a pool that is nearly full. */
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

/** How many there were so far: more than one means that one crashed. */
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
