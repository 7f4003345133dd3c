/**
 * `npm run bench -- import [FILE]`: import speed. The first blocks of mainnet, as a whole process (`npm start --
 * --import`) and applied alone; blocks full of calls, executed and by their snapshots (light); then blocks of transfers
 * in states of a thousand, a hundred thousand and a million accounts, which must all take the same time.
 *
 * FILE is a block file of mainnet; by default the one next to the project.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { importBlocks } from "../../durable/chain-state/chain/import-blocks.ts";
import { openChain } from "../../durable/chain-state/chain/open-chain.ts";
import { StateStore } from "../../durable/chain-state/state/state-store.ts";
import { type ImportBlocksOptions, importBlocks as sendBlocks } from "../../local/import/import-blocks.ts";
import { mainnet } from "../../src/network/networks/mainnet.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { stateDatabase } from "../sqlite/node-database.ts";
import { type ChainProcess, startChainProcess } from "./parts/chain-process.ts";
import { fillState, makeCrowd } from "./parts/crowded-state.ts";
import { makeScriptedChain } from "./parts/scripted-chain.ts";
import { runWholeNode } from "./parts/whole-node.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const mainnetFile = process.argv[2] ?? path.join(projectRoot, "../shared/fixtures/mainnet/blocks-2-5000.bin");
/** The table shows the median. */
const runs = 3;
/** Temporary folder, read early: the runtime later sets the process's folder to its own. */
const temporaryRoot = os.tmpdir();
/** Blocks with only calls; the first block sets the scripts. */
const scripted = { blocks: 60, calls: 40 };
const accountCounts = [1_000, 100_000, 1_000_000];
/** The first blocks are a warm-up while code is compiled. */
const crowdBlocks = { first: 60, measured: 140, transfers: 20 };

const legend = `
npm start     until it serves: signatures are verified by the runner, too, while the runtime applies
in workerd    the same without the start; the read model is up to date at the end
calls         of two dApps, one that reads 100 entries and writes 10, one that computes; light: their snapshots are applied instead
in Node       one process, no read model
transfers     blocks that come one by one to a node of the private network, the read model up to date after each
CPU, peak     of the processes: runner (with those that it starts) + runtime; peak is the most memory of each
`;

interface Measured {
  readonly blocks: number;
  readonly seconds: number;
  readonly processorSeconds: readonly number[];
  readonly peakMegabytes: readonly number[];
}

const rows: string[][] = [["", "blocks", "seconds", "fastest", "ms/block", "CPU ms/block", "peak MB"]];
if (existsSync(mainnetFile)) {
  addRow("mainnet, in Node", [await applyInNode()]);
  addRow("mainnet, in workerd", await repeat(applyInWorkerd));
  addRow("mainnet, npm start", await repeat(startAndImport));
} else {
  process.stderr.write(`skipped: ${mainnetFile} is not here, and mainnet's blocks are not copied\n`);
}
await applyScripts();
for (const [accounts, measured] of await applyInCrowds())
  addRow(`${crowdBlocks.transfers} transfers, ${accounts.toLocaleString("en")} accounts`, [measured]);
print();

/** Imports in a process of its own, as a user does. */
async function startAndImport(folder: string): Promise<Measured> {
  const flags = ["--network", "mainnet", "--import", mainnetFile, "--no-mining", "--data", path.join(folder, "data")];
  flags.push("--peers", "none", "--p2p-port", "0");
  const run = await runWholeNode({
    flags,
    isDone: ({ output }) => /^ready /m.test(output()),
    ...{ lookMs: 5, limitMs: 10 * 60_000 },
  });
  const imported = /^imported (\d+) blocks/m.exec(run.output);
  if (imported === null) throw new Error(`the import failed:\n${run.output}`);
  return { ...run, blocks: Number(imported[1]) };
}

function applyInWorkerd(folder: string): Promise<Measured> {
  return measuredImport("mainnet", folder, { file: mainnetFile, chainId: mainnet.blockchain.chainId });
}

async function measuredImport(
  network: string,
  folder: string,
  options: Omit<ImportBlocksOptions, "report">,
): Promise<Measured> {
  const node = await startChainProcess(network, folder);
  try {
    const own = process.cpuUsage();
    const before = node.processorSeconds();
    const startedMs = performance.now();
    const imported = await sendBlocks(node.chain, { ...options, report: () => {} });
    if (imported.error !== undefined) throw new Error(imported.error);
    const { user, system } = process.cpuUsage(own);
    return {
      blocks: imported.applied,
      seconds: (performance.now() - startedMs) / 1000,
      processorSeconds: [(user + system) / 1e6, node.processorSeconds() - before],
      peakMegabytes: [node.peakMegabytes()],
    };
  } finally {
    await node.stop();
  }
}

/** The same blocks executed and by their snapshots, alternating. */
async function applyScripts(): Promise<void> {
  const folder = temporaryFolder();
  const made = makeScriptedChain(scripted);
  const file = path.join(folder, "blocks.bin");
  const snapshotsFile = path.join(folder, "snapshots.bin");
  writeFileSync(file, made.blockFile);
  writeFileSync(snapshotsFile, made.snapshotFile);
  const { chainId } = privateNetwork.blockchain;
  const full: Measured[] = [];
  const light: Measured[] = [];
  for (let left = runs; left > 0; left--) {
    full.push(await importInWorkerd("private", { file, chainId }));
    light.push(await importInWorkerd("private", { file, snapshotsFile, chainId }));
  }
  rmSync(folder, { recursive: true });
  const name = `${made.calls} calls in workerd`;
  addRow(`${name}, run`, full);
  addRow(`${name}, light`, light);
}

async function importInWorkerd(network: string, options: Omit<ImportBlocksOptions, "report">): Promise<Measured> {
  const folder = temporaryFolder();
  try {
    return await measuredImport(network, folder, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function applyInNode(): Promise<Measured> {
  const database = stateDatabase();
  const { blockchain, node } = mainnet;
  const chain = openChain({
    store: new StateStore(database),
    settings: blockchain,
    transaction: database.transaction,
    maxRollbackDepth: node.maxRollbackDepth,
    storage: node,
  });
  chain.liquid.ensureGenesis(Date.now());
  const bytes = await readFile(mainnetFile);
  const own = process.cpuUsage();
  const startedMs = performance.now();
  const { applied, fault } = importBlocks(chain, bytes, { toHeight: undefined, nowMs: Date.now() });
  if (fault !== undefined) throw new Error(fault);
  const { user, system } = process.cpuUsage(own);
  database.database.close();
  const seconds = (performance.now() - startedMs) / 1000;
  return { blocks: applied, seconds, processorSeconds: [(user + system) / 1e6], peakMegabytes: [] };
}

/**
 * Blocks that arrive one by one, as from the network, at nodes with different numbers of accounts. The nodes alternate,
 * so that other load of the machine affects all of them.
 */
async function applyInCrowds(): Promise<readonly (readonly [accounts: number, Measured])[]> {
  const crowds: CrowdedNode[] = [];
  try {
    for (const accounts of accountCounts) crowds.push(await startCrowdedNode(accounts));
    const { first, measured } = crowdBlocks;
    const seconds = new Map<CrowdedNode, number>();
    const before = new Map<CrowdedNode, number>();
    for (let block = 0; block < first + measured; block++)
      for (const crowd of crowds) {
        if (block === first) before.set(crowd, crowd.node.processorSeconds());
        const startedMs = performance.now();
        const { fault } = await crowd.node.chain.importBlocks(crowd.records[block] as Uint8Array);
        if (fault !== undefined) throw new Error(fault);
        if (block >= first) seconds.set(crowd, (seconds.get(crowd) ?? 0) + (performance.now() - startedMs) / 1000);
      }
    return crowds.map((crowd) => {
      const { accounts, node } = crowd;
      const processorSeconds = [node.processorSeconds() - (before.get(crowd) ?? 0)];
      const peakMegabytes = [node.peakMegabytes()];
      return [accounts, { blocks: measured, seconds: seconds.get(crowd) ?? 0, processorSeconds, peakMegabytes }];
    });
  } finally {
    for (const { node, folder } of crowds.reverse()) {
      await node.stop();
      rmSync(folder, { recursive: true });
    }
  }
}

interface CrowdedNode {
  readonly accounts: number;
  readonly node: ChainProcess;
  readonly folder: string;
  /** Encoded blocks, as in a block file. */
  readonly records: readonly Uint8Array[];
}

async function startCrowdedNode(accounts: number): Promise<CrowdedNode> {
  const { first, measured, transfers } = crowdBlocks;
  const crowd = makeCrowd(accounts, { blocks: first + measured, transfers });
  const records = crowd.blocks.map((block) => encodeBlockRecord(encodeBlock(block, privateNetwork.blockchain.chainId)));
  const folder = temporaryFolder();
  await (await startChainProcess("private", folder)).stop();
  fillState(folder, crowd);
  return { accounts, node: await startChainProcess("private", folder), folder, records };
}

async function repeat(run: (folder: string) => Promise<Measured>): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (let left = runs; left > 0; left--) {
    const folder = temporaryFolder();
    measured.push(await run(folder));
    rmSync(folder, { recursive: true });
  }
  return measured;
}

function temporaryFolder(): string {
  return mkdtempSync(path.join(temporaryRoot, "bench-import-"));
}

function addRow(name: string, measured: readonly Measured[]): void {
  const sorted = measured.toSorted((left, right) => left.seconds - right.seconds);
  const shown = sorted[sorted.length >> 1] as Measured;
  const { blocks, seconds, processorSeconds, peakMegabytes } = shown;
  rows.push([
    name,
    String(blocks),
    seconds.toFixed(2),
    (sorted[0]?.seconds ?? 0).toFixed(2),
    ((seconds * 1000) / blocks).toFixed(2),
    processorSeconds.map((value) => ((value * 1000) / blocks).toFixed(2)).join(" + "),
    peakMegabytes.map((value) => value.toFixed(0)).join(" + "),
  ]);
}

function print(): void {
  const widths = (rows[0] as string[]).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => cell[column === 0 ? "padEnd" : "padStart"](widths[column] ?? 0));
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
  const [load] = os.loadavg();
  process.stdout.write(`${legend}\nload of the machine ${load?.toFixed(1)} on ${os.cpus().length} cores\n`);
}
