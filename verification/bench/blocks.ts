/**
 * `npm run bench -- blocks`: applies blocks that are as full as possible, with every signature verified, in one
 * ChainState in workerd.
 *
 * `npm run bench -- blocks --functions` also prints the functions that take most of the time.
 */
import os from "node:os";
import { privateNetwork } from "../../src/network/networks/private.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../src/protocol/blocks/parse-block.ts";
import { type ChainProcess, startChainProcess } from "./parts/chain-process.ts";
import { type BlockKind, blockKinds, FullBlocks } from "./parts/full-blocks.ts";
import type { ProfileShares, Shares } from "./parts/profile-shares.ts";

/**
 * Blocks of each kind: the first until the code is compiled, some for the time, some for the profile, which itself
 * costs time.
 */
const blockCounts = { first: 1, measured: 5, profiled: 2 } as const;
const maxPrintedFunctions = 25;

const legend = `
tx/s      for the block in the middle, and for the fastest; the read model is up to date when the call returns
CPU ms    for a block, all threads of workerd: D1 and SQLite as well
µs/sig    for one signature, as the profile has it: tells how fast the machine is just now
then      shares of ChainState's own time by part; native code counts for the part that calls it
`;

const names: Readonly<Record<BlockKind, string>> = {
  transfers: "6,000 transfers",
  massTransfers: "60 mass transfers x 100",
  exchanges: "1,000 exchanges",
};
/** Signatures in one transaction. */
const signatures: Readonly<Record<BlockKind, number>> = { transfers: 1, massTransfers: 1, exchanges: 3 };

interface Measured {
  readonly kind: BlockKind;
  /** Time of each block, shortest first. */
  readonly seconds: readonly number[];
  readonly processorSeconds: number;
  readonly shares: ProfileShares;
}

const showsFunctions = process.argv.includes("--functions");
process.stderr.write("making the blocks takes half a minute\n");
const blocks = new FullBlocks();
const funding = blocks.funding.map(recordOf);
const kinds = Object.keys(blockKinds) as BlockKind[];
const generated = kinds.map((kind) => ({ kind, records: recordsOf(kind) }));
const node = await startChainProcess("private", undefined);
try {
  await apply(node, funding);
  const measured: Measured[] = [];
  for (const { kind, records } of generated) measured.push(await measure(node, kind, records));
  print(measured);
  const [load] = os.loadavg();
  const memory = `peak memory of workerd ${node.peakMegabytes().toFixed(0)} MB`;
  process.stdout.write(`${memory}, load of the machine ${load?.toFixed(1)} on ${os.cpus().length} cores\n`);
  if (showsFunctions) for (const { kind, shares } of measured) printFunctions(names[kind], shares);
} finally {
  await node.stop();
}

function recordsOf(kind: BlockKind): readonly Uint8Array[] {
  const count = blockCounts.first + blockCounts.measured + blockCounts.profiled;
  return Array.from({ length: count }, () => recordOf(blocks.next(kind)));
}

function recordOf(block: Block): Uint8Array {
  return encodeBlockRecord(encodeBlock(block, privateNetwork.blockchain.chainId));
}

async function measure(chain: ChainProcess, kind: BlockKind, records: readonly Uint8Array[]): Promise<Measured> {
  const { first, measured } = blockCounts;
  await apply(chain, records.slice(0, first));
  const startedSeconds = chain.processorSeconds();
  const seconds = await apply(chain, records.slice(first, first + measured));
  const processorSeconds = chain.processorSeconds() - startedSeconds;
  const shares = await chain.profile(async () => void (await apply(chain, records.slice(first + measured))));
  return { kind, seconds: seconds.toSorted((left, right) => left - right), processorSeconds, shares };
}

/** @returns seconds of each call, measured outside: the clock inside does not move during computation */
async function apply({ chain }: ChainProcess, records: readonly Uint8Array[]): Promise<number[]> {
  const seconds: number[] = [];
  for (const record of records) {
    const startedMs = performance.now();
    const { fault } = await chain.importBlocks(record, undefined);
    if (fault !== undefined) throw new Error(fault);
    seconds.push((performance.now() - startedMs) / 1000);
  }
  return seconds;
}

function print(measured: readonly Measured[]): void {
  const partNames = [...new Set(measured.flatMap(({ shares }) => [...shares.byPart.keys()]))];
  const rows = measured.map(({ kind, seconds, processorSeconds, shares }) => {
    const transactions = blockKinds[kind];
    const verified = transactions * signatures[kind] * blockCounts.profiled;
    const verifying = (shares.byPart.get("signatures") ?? 0) * shares.busySeconds;
    return [
      names[kind],
      (transactions / (seconds[seconds.length >> 1] ?? 0)).toFixed(0),
      (transactions / (seconds[0] ?? 0)).toFixed(0),
      ((processorSeconds * 1e3) / blockCounts.measured).toFixed(0),
      ((verifying * 1e6) / verified).toFixed(0),
      ...partNames.map((part) => percent(shares.byPart.get(part))),
      largestOwnFile(shares.byFile),
    ];
  });
  const header = ["block of", "tx/s", "fastest", "CPU ms", "µs/sig", ...partNames, "largest file of ours"];
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? "").length)));
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
  process.stdout.write(`${legend}\n`);
}

function largestOwnFile(byFile: Shares): string {
  for (const [file, share] of byFile)
    if (file.startsWith("src/") || file.startsWith("durable/")) return `${file} ${percent(share)}`;
  return "";
}

function printFunctions(title: string, { byFunction }: ProfileShares): void {
  process.stdout.write(`\n${title}\n`);
  for (const [name, share] of [...byFunction].slice(0, maxPrintedFunctions))
    process.stdout.write(`${percent(share).padStart(6)}  ${name}\n`);
}

function percent(share: number | undefined): string {
  return `${((share ?? 0) * 100).toFixed(1)}%`;
}
