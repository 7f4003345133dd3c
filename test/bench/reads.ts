/**
 * `npm run bench -- reads [FLAGS]`: requests a second of a node as `npm start` runs it, beside a constant answer of the same
 * runtime, a bare question to D1 and, where REFERENCE_URL names a node of the private network, that node. All are asked in
 * turns in one run, at 16 connections and at one, so that what else the machine does hits them alike.
 *
 *     --seconds N   of one measurement, 3 by default; each is made --rounds N times (3), and the table shows the median
 *     --only A,B    rows by the beginning of their names, such as `height,block,cold`
 *     --size N      keys that are asked but once, 100,000 by default
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { readyNode } from "../../scripts/tools/local-node.ts";
import { type BarePlaces, type ConstantAnswer, startBareRuntime } from "./parts/bare-runtime.ts";
import { percentile } from "./parts/percentile.ts";
import { printTable } from "./parts/print-table.ts";
import { type ReadRow, readRows } from "./parts/read-rows.ts";
import { type ColdKeys, type ReadsWorld, WorldMaker } from "./parts/reads-world.ts";
import { type Asked, type LoadOutcome, RequestLoad } from "./parts/request-load.ts";

const connectionCounts = [16, 1];
const warmUpMs = 300;
/** Parts into which the keys that are asked once are cut, so that the nodes take turns. */
const coldSlices = 10;
const coldConnections = 16;
const lookIntervalMs = 300;
const coldHeader = [
  "",
  "keys",
  "ours/s",
  "p50",
  "p99",
  "D1, door/s",
  "p50",
  "p99",
  "x",
  "D1, bare/s",
  "p50",
  "p99",
  "x",
];
const ofConnection = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

const legend = `
ours        the node as \`npm start\` runs it: its front server and its runtime, on a private network that forges
constant    a Worker that answers the same bytes with the same headers: behind the same front server (door), and asked directly (bare)
x           ours divided by it
p50, p99    milliseconds
cold        each key asked once, at ${coldConnections} connections; a D1 point query is a Worker with one question by primary key to a table of
            as many rows
`;

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
    size: { type: "string", default: "100000" },
  },
});
const [seconds, rounds, size] = [flags.seconds, flags.rounds, flags.size].map(Number) as [number, number, number];
if (!(seconds > 0) || !(rounds > 0) || !(size > 0)) throw new Error("--seconds, --rounds and --size want numbers");
const wanted = flags.only.split(",").filter(Boolean);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((start) => name.startsWith(start));
const referenceUrl = process.env["REFERENCE_URL"] ?? "";

const load = new RequestLoad();
const folder = mkdtempSync(path.join(os.tmpdir(), "bench-reads-"));
const node = await readyNode(["--data", path.join(folder, "data"), "--quiet"]);
try {
  await measure();
} finally {
  await load.stop();
  await node.stop();
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const maker = new WorldMaker();
  const rows = readRows(maker).filter(({ name }) => isWanted(name));
  const coldNames = ["cold balance", "cold data key", "cold transaction info"].filter(isWanted);
  say("filling the node");
  const world = await maker.fill(node.url);
  const cold = coldNames.length === 0 ? undefined : await maker.fillCold(node.url, size);
  if (referenceUrl !== "") say("filling the reference");
  const referenceWorld = referenceUrl === "" ? undefined : await maker.fill(referenceUrl);
  await Promise.all([node.url, referenceUrl].filter(Boolean).map(emptyBlock));
  const answers: ConstantAnswer[] = [];
  for (const row of rows) answers.push(await answerOf(node.url, firstOf(row, world)));
  const bare = await startBareRuntime({ answers, keys: cold?.addresses ?? [] });
  try {
    const shown = [header()];
    // What is broadcast is still in the pool when other rows would be measured.
    for (const row of rows.filter(({ name }) => name !== "broadcast"))
      shown.push(...(await measureRow(row, { world, referenceWorld, bare: bare.places })));
    const coldShown = cold === undefined ? [] : await measureCold(coldNames, cold, bare.places);
    for (const row of rows.filter(({ name }) => name === "broadcast"))
      shown.push(...(await measureRow(row, { world, referenceWorld, bare: bare.places })));
    if (rows.length > 0) printTable(shown);
    process.stdout.write("\n");
    if (coldShown.length > 0) printTable([coldHeader, ...coldShown]);
    const [machine] = os.loadavg();
    process.stdout.write(
      `${legend}\n${new Date().toISOString().slice(0, 16)} UTC, load of the machine ${machine?.toFixed(1)} on ${os.cpus().length} cores; ` +
        `${world.transactionsInBlock} transactions in the block, ${rounds} rounds of ${seconds} s\n`,
    );
  } finally {
    await bare.stop();
  }
}

/** Waits for a key block without transactions: the last block is then alike on all nodes. */
async function emptyBlock(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/blocks/headers/last`);
    const { transactionCount } = (await answer.json()) as { readonly transactionCount: number };
    if (transactionCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, lookIntervalMs));
  }
}

interface Places {
  readonly world: ReadsWorld;
  readonly referenceWorld: ReadsWorld | undefined;
  readonly bare: BarePlaces;
}

async function measureRow(row: ReadRow, { world, referenceWorld, bare }: Places): Promise<string[][]> {
  say(row.name);
  const targets = [
    { url: node.url, world },
    { url: bare.constant.door, world },
    { url: bare.constant.bare, world },
    ...(referenceWorld === undefined ? [] : [{ url: referenceUrl, world: referenceWorld }]),
  ];
  const worlds = targets.map((target) => target.world);
  const shown: string[][] = [];
  for (const connections of connectionCounts) {
    const outcomes = targets.map((): LoadOutcome[] => []);
    for (let round = -1; round < rounds; round++) {
      // The first is for everybody to be warm.
      const durationMs = round < 0 ? warmUpMs : seconds * 1_000;
      const asked = row.ask(worlds, { connections, seconds: durationMs / 1_000 });
      for (const [index, { url }] of targets.entries()) {
        const isConstant = index === 1 || index === 2;
        const isOnce = row.isOnce && !isConstant;
        const outcome = await load.run(url, asked[index] ?? [], { connections, durationMs, isOnce });
        if (outcome.errors > 0) say(`${row.name}, ${url}: ${outcome.errors} errors, such as ${outcome.errorText}`);
        if (round >= 0) outcomes[index]?.push(outcome);
      }
    }
    const [ours, door, direct, reference] = outcomes.map(medianOf) as [Figures, Figures, Figures, Figures | undefined];
    shown.push([
      row.name,
      ...[String(connections), ...figures(ours)],
      ...[...figures(door), ratio(ours, door), perSecond(direct), ratio(ours, direct)],
      ...(reference === undefined ? [] : [...figures(reference), ratio(ours, reference)]),
    ]);
  }
  return shown;
}

function header(): string[] {
  const constant = ["door/s", "p50", "p99", "x", "bare/s", "x"];
  const reference = referenceUrl === "" ? [] : ["reference/s", "p50", "p99", "x"];
  return ["request", "connections", "ours/s", "p50", "p99", ...constant, ...reference];
}

/** Each key once: the nodes take turns with slices of the keys. */
async function measureCold(names: readonly string[], cold: ColdKeys, bare: BarePlaces): Promise<string[][]> {
  const paths: Readonly<Record<string, readonly string[]>> = {
    "cold balance": cold.addresses.map((address) => `/addresses/balance/${address}`),
    "cold data key": cold.entries.map(([address, key]) => `/addresses/data/${address}/${key}`),
    "cold transaction info": cold.transactionIds.map((id) => `/transactions/info/${id}`),
  };
  const shown: string[][] = [];
  for (const name of names) {
    say(name);
    const own = paths[name] ?? [];
    const points = own.map((_, number) => `/${cold.addresses[number % cold.addresses.length]}`);
    const outcomes: LoadOutcome[][] = [[], [], []];
    const sliceLength = Math.ceil(own.length / coldSlices);
    for (let from = 0; from < own.length; from += sliceLength) {
      const targets = [
        [node.url, own],
        [bare.point.door, points],
        [bare.point.bare, points],
      ] as const;
      for (const [index, [url, all]] of targets.entries()) {
        const asked = all.slice(from, from + sliceLength).map((each): Asked => ({ path: each }));
        const order = { connections: coldConnections, durationMs: Number(2 ** 31 - 1), isOnce: true };
        const outcome = await load.run(url, asked, order);
        if (outcome.errors > 0) say(`${name}, ${url}: ${outcome.errors} errors, such as ${outcome.errorText}`);
        outcomes[index]?.push(outcome);
      }
    }
    const [ours, door, direct] = outcomes.map(medianOf) as [Figures, Figures, Figures];
    const compared = [...figures(door), ratio(ours, door), ...figures(direct), ratio(ours, direct)];
    shown.push([name, String(own.length), ...figures(ours), ...compared]);
  }
  return shown;
}

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly errors: number;
}

function medianOf(outcomes: readonly LoadOutcome[]): Figures {
  const median = (values: readonly number[]): number => percentile(values, 0.5) ?? Number.NaN;
  return {
    perSecond: median(outcomes.map(({ answers, seconds: taken }) => answers / taken)),
    p50Ms: median(outcomes.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(outcomes.map(({ p99Ms }) => p99Ms)),
    errors: outcomes.reduce((sum, { errors }) => sum + errors, 0),
  };
}

function figures(shown: Figures): string[] {
  return [perSecond(shown), shown.p50Ms.toFixed(2), shown.p99Ms.toFixed(2)];
}

/** With a mark where some requests failed. */
function perSecond(shown: Figures): string {
  return `${shown.perSecond.toFixed(0)}${shown.errors > 0 ? "!" : ""}`;
}

function ratio(ours: Figures, other: Figures): string {
  return (ours.perSecond / other.perSecond).toFixed(2);
}

function firstOf(row: ReadRow, world: ReadsWorld): Asked {
  const asked = row.ask([world], { connections: 1, seconds: 0.001 })[0]?.[0];
  if (asked === undefined) throw new Error(`nothing is asked for ${row.name}`);
  return asked;
}

/** What the constant Worker answers in its place. */
async function answerOf(url: string, { path: asked, body }: Asked): Promise<ConstantAnswer> {
  const sent = body === undefined ? {} : { method: "POST", body, headers: { "Content-Type": "application/json" } };
  const answer = await fetch(`${url}${asked}`, sent);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${asked} was answered with ${answer.status}: ${text}`);
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !ofConnection.has(name)));
  return { path: asked, headers, text };
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
