/**
 * `GOWAVES_NODE=PROGRAM npm run bench -- sync [FILE]`: time to sync mainnet's first blocks from a Go node, next to the
 * import of the same blocks from a file, alternating, both as a user starts them. PROGRAM is the Go node's binary; its
 * importer is in the same folder, or is named by GOWAVES_IMPORTER.
 *
 * FILE is a block file of mainnet; by default the one next to the project.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { readBlockFile } from "../../local/import/block-file.ts";
import { findFreePort } from "../../local/runtime/free-port.ts";
import { BlockFileReader } from "../../src/protocol/blocks/block-file.ts";
import { StartedProcess } from "../conformance/network/started-process.ts";
import { printTable } from "./parts/print-table.ts";
import { type NodeRun, runWholeNode } from "./parts/whole-node.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const blockFile = path.resolve(
  process.argv[2] ?? path.join(projectRoot, "../shared/fixtures/mainnet/blocks-2-5000.bin"),
);
const goNode = process.env["GOWAVES_NODE"];
const goImporter = process.env["GOWAVES_IMPORTER"] ?? (goNode && path.join(path.dirname(goNode), "importer"));
const host = "127.0.0.1";
/** The table shows the median. */
const runs = 3;
const limitMs = 10 * 60_000;
const lookMs = 50;
/** Allowed time of a sync, relative to the import. */
const aim = 2;

const legend = `
import       npm start -- --import FILE, until it serves
sync         npm start -- --peers, until readers see the last block; the node that serves runs beside it
CPU, peak    of runner + runtime; peak is the most memory of a process of each
`;

const missing = [
  [blockFile, "mainnet's blocks are not copied"],
  [goNode, "GOWAVES_NODE names the Go node"],
  [goImporter, "the Go node's importer stands beside it, or GOWAVES_IMPORTER names it"],
].find(([file]) => file === undefined || !existsSync(file));
if (missing === undefined) await compare(goNode as string, goImporter as string);
else process.stderr.write(`skipped: ${missing[0] ?? "nothing"} is not here; ${missing[1]}\n`);

async function compare(node: string, importer: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-sync-"));
  const blocks = await countBlocks();
  // Mainnet without known peers, so that blocks come only from the Go node.
  const network = path.join(folder, "mainnet.json");
  writeFileSync(
    network,
    JSON.stringify({ waves: { blockchain: { type: "MAINNET" }, network: { "known-peers": [] } } }),
  );
  const peerPort = await findFreePort(host, 0);
  const go = await serveWithGo({ node, importer, folder: path.join(folder, "go"), blocks, peerPort });
  const [imports, syncs]: [NodeRun[], NodeRun[]] = [[], []];
  try {
    for (let run = 0; run < runs; run++) {
      const data = path.join(folder, `data-${run}`);
      const common = ["--network", network, "--no-mining", "--data", data];
      const alone = ["--peers", "none", "--p2p-port", "0"];
      imports.push(await runWholeNode({ ...importing([...common, ...alone, "--import", blockFile]), lookMs, limitMs }));
      rmSync(data, { recursive: true });
      const flags = [...common, "--peers", `${host}:${peerPort}`, "--p2p-port", "0"];
      syncs.push(await runWholeNode({ flags, isDone: hasHeight(blocks + 1), lookMs, limitMs }));
      rmSync(data, { recursive: true });
    }
  } finally {
    await go.stop();
    rmSync(folder, { recursive: true });
  }
  print(blocks, { imports, syncs });
}

async function countBlocks(): Promise<number> {
  let count = 0;
  for await (const { bytes } of readBlockFile(blockFile)) count += new BlockFileReader().push(bytes).length;
  return count;
}

interface GoNodeOptions {
  readonly node: string;
  readonly importer: string;
  readonly folder: string;
  readonly blocks: number;
  readonly peerPort: number;
}

/** A Go node with the blocks, which listens for peers and connects to none. */
async function serveWithGo({ node, importer, folder, blocks, peerPort }: GoNodeOptions): Promise<StartedProcess> {
  const state = path.join(folder, "state");
  mkdirSync(state, { recursive: true });
  const stateFlags = ["-blockchain-type", "mainnet"];
  await promisify(execFile)(
    importer,
    [...stateFlags, "-blockchain-path", blockFile, "-data-path", state, "-blocks-number", String(blocks)],
    { maxBuffer: 64 * 2 ** 20 },
  );
  const restPort = await findFreePort(host, 0);
  const valued: Readonly<Record<string, string>> = {
    "state-path": state,
    "bind-address": `${host}:${peerPort}`,
    "declared-address": `${host}:${peerPort}`,
    // Without peers it takes mainnet's; no node listens at this address.
    peers: `${host}:1`,
    "api-address": `${host}:${restPort}`,
    "api-key": "unused",
    "wallet-path": path.join(folder, "wallet"),
    obsolescence: "876000h",
  };
  const started = new StartedProcess({
    command: node,
    args: [
      ...stateFlags,
      ...Object.entries(valued).flatMap(([flag, value]) => [`-${flag}`, value]),
      ...["-no-connections", "-disable-miner", "-disable-ntp"],
    ],
    folder,
    logFile: path.join(folder, "node.log"),
    readyUrl: `http://${host}:${restPort}/blocks/height`,
  });
  await started.ready();
  return started;
}

function importing(flags: readonly string[]) {
  return {
    flags,
    isDone: ({ output }: { output: () => string }) => {
      if (!/^ready /m.test(output())) return false;
      if (!/^imported \d+ blocks/m.test(output())) throw new Error(`the import failed:\n${output()}`);
      return true;
    },
  };
}

/** Tests that clients can read the height. */
function hasHeight(targetHeight: number) {
  return async ({ url }: { readonly url: string }): Promise<boolean> => {
    const response = await fetch(`${url}/blocks/height`).catch(() => undefined);
    if (response?.ok !== true) return false;
    const { height } = (await response.json()) as { readonly height: number };
    return height >= targetHeight;
  };
}

function print(blocks: number, { imports, syncs }: { readonly imports: NodeRun[]; readonly syncs: NodeRun[] }): void {
  const [imported, synced] = [middleOf(imports), middleOf(syncs)];
  printTable([
    ["", "blocks", "seconds", "fastest", "ms/block", "CPU ms/block", "peak MB"],
    rowOf("import", blocks, imports),
    rowOf("sync", blocks, syncs),
  ]);
  const ratio = synced.seconds / imported.seconds;
  const memory = synced.peakMegabytes.map((peak, index) =>
    (peak / (imported.peakMegabytes[index] as number)).toFixed(2),
  );
  const [load] = os.loadavg();
  process.stdout.write(
    `${legend}\nsync / import: ${ratio.toFixed(2)} of the time (at most ${aim}), ${memory.join(" + ")} of the memory\n` +
      `load of the machine ${load?.toFixed(1)} on ${os.cpus().length} cores\n`,
  );
  if (ratio > aim) process.exitCode = 1;
}

function middleOf(measured: readonly NodeRun[]): NodeRun {
  return measured.toSorted((left, right) => left.seconds - right.seconds)[measured.length >> 1] as NodeRun;
}

function rowOf(name: string, blocks: number, measured: readonly NodeRun[]): readonly string[] {
  const { seconds, processorSeconds, peakMegabytes } = middleOf(measured);
  return [
    name,
    String(blocks),
    seconds.toFixed(2),
    Math.min(...measured.map((run) => run.seconds)).toFixed(2),
    ((seconds * 1000) / blocks).toFixed(2),
    processorSeconds.map((value) => ((value * 1000) / blocks).toFixed(2)).join(" + "),
    peakMegabytes.map((value) => value.toFixed(0)).join(" + "),
  ];
}
