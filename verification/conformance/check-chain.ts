/** The check of one chain: generates it, imports it into the reference and this node, and compares their responses. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findFreePort } from "../../local/runtime/free-port.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { parseSettingsJson } from "../../src/network/parse-network.ts";
import { type JsonObject, jsonText } from "../../src/protocol/json.ts";
import { ChainWorld } from "../chain-generator/chain-world.ts";
import type { ChainOptions } from "../chain-generator/forge-chain.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type WrittenChain, writeChain } from "../chain-generator/write-chain.ts";
import { readyNode } from "../local-node.ts";
import { broadcasts } from "./broadcasts.ts";
import { type ChainInventory, readChainInventory } from "./chain-inventory.ts";
import { type Comparison, compareNodes, type Difference } from "./compare-nodes.ts";
import { DistortedWorld } from "./distorted-world.ts";
import { rawTransactions, walletRequests } from "./ethereum-requests.ts";
import { type NodeRequest, requestsAbout, requestsAboutPool } from "./node-requests.ts";
import { importIntoReference, type ReferenceOptions, serveReference } from "./reference-node.ts";
import { requestsInAllForms } from "./request-forms.ts";
import { requestsAfterRollback, rollBack } from "./rollback-requests.ts";
import { evaluations, requestsAboutScripts, requestsAboutSources, validations } from "./script-requests.ts";

export interface ChainCheck {
  /** Folder with the reference's jars. */
  readonly library: string;
  /** Working folder; must not exist yet. */
  readonly folder: string;
  readonly chainOptions: ChainOptions;
  /** Blocks by which both nodes are rolled back at the end, before further requests; 0: no rollback. */
  readonly rollback: number;
  /** Prints a line of progress. */
  readonly log: (line: string) => void;
}

export interface ChainResult {
  readonly responses: number;
  readonly differences: number;
  /** Requests without a timely response. */
  readonly unanswered: number;
}

const maxPrintedPerRoute = 3;
const host = "127.0.0.1";
const progressInterval = 2_000;
const formCount = 400;
const broadcastCount = 1_500;
const validationCount = 700;
const evaluationCount = 1_000;
const walletCallCount = 2_500;
const rawTransactionCount = 700;

export async function checkChain({ library, folder, chainOptions, rollback, log }: ChainCheck): Promise<ChainResult> {
  // One block more than requested: from feature 22 on the reference does not store the last one.
  const written = writeChain(folder, { ...chainOptions, blocks: chainOptions.blocks + 1 });
  log(
    `forged ${chainOptions.blocks} blocks: ${written.transactions} transactions, ${written.chain.microBlocks} micro-blocks, ${written.chain.challenges} challenges`,
  );
  if (written.missing.length > 0) log(`not on this chain: ${written.missing.join(", ")}`);
  const reference = await referenceOptions(library, folder);
  const blockFile = path.join(folder, "blocks.bin");
  const { appended, refusal } = await importIntoReference(reference, blockFile);
  if (refusal !== undefined || appended !== chainOptions.blocks) {
    log(`the reference refused the block at height ${appended + 2}: ${refusal ?? "it does not say why"}`);
    return { responses: 0, differences: 1, unanswered: 0 };
  }
  log(`the reference appended ${appended} blocks with full validation`);
  const comparisons = await compareBoth(reference, { folder, blockFile, chainOptions, rollback, written, log });
  const sum = (countOf: (comparison: Comparison) => number): number =>
    comparisons.reduce((count, comparison) => count + countOf(comparison), 0);
  return {
    responses: sum(total),
    differences: sum(({ differences }) => differences.length),
    unanswered: sum(({ unanswered }) => unanswered),
  };
}

async function compareBoth(
  reference: ReferenceOptions,
  {
    folder,
    blockFile,
    chainOptions,
    rollback,
    written,
    log,
  }: Pick<ChainCheck, "folder" | "chainOptions" | "rollback" | "log"> & {
    readonly blockFile: string;
    readonly written: WrittenChain;
  },
): Promise<readonly Comparison[]> {
  const expected = await serveReference(reference);
  try {
    const chain = await readChainInventory(expected.url);
    checkIds(chain, written);
    const network = path.join(folder, "network.json");
    const flags = ["--network", network, "--import", blockFile, "--to-height", String(chain.height)];
    const node = await readyNode([...flags, "--no-mining", "--memory"]);
    try {
      const compared = async (questions: readonly Iterable<NodeRequest>[], file: string): Promise<Comparison> => {
        const comparison = await compareNodes(expected.url, node.url, questions, (asked) => {
          if (asked % progressInterval === 0) log(`${asked} answers`);
        });
        describe(comparison, log);
        writeFileSync(path.join(folder, file), jsonText(comparison.differences.map(differenceJson)));
        return comparison;
      };
      const first = await compared(phases(chain, written, chainOptions), "differences.json");
      const height = Math.max(1, chain.height - rollback);
      if (height === chain.height) return [first];
      await rollBack([expected.url, node.url], height);
      log(`both are rolled back to height ${height}`);
      const random = new SeededRandom(`rollback ${chainOptions.seed}`);
      const second = await compared([requestsAfterRollback(chain, height, random)], "differences-after-rollback.json");
      return [first, second];
    } finally {
      await node.stop();
    }
  } finally {
    await expected.stop();
  }
}

/** @throws Error when the reference's blocks are not the forged ones */
function checkIds({ height, blockIds }: ChainInventory, written: WrittenChain): void {
  const expected = written.blockIds.map(encodeBase58);
  if (height < expected.length - 1) throw new Error(`the reference has ${height} blocks only`);
  const other = blockIds.findIndex((id, index) => id !== expected[index]);
  if (other >= 0) throw new Error(`the reference has another block at height ${other + 1}`);
}

function phases(
  chain: ChainInventory,
  { chain: { node, world } }: WrittenChain,
  options: ChainOptions,
): Iterable<NodeRequest>[] {
  const random = new SeededRandom(`questions ${options.seed}`);
  node.chain.forks.revertTo(chain.height);
  const { view, accounts, known } = world;
  const senders = new DistortedWorld({ view, accounts, known, random, nowMs: Date.now });
  const honest = new ChainWorld({ view, accounts, known, random, nowMs: Date.now });
  return [
    requestsAbout(chain, random),
    requestsInAllForms(chain, random, formCount),
    requestsAboutScripts(chain, random),
    requestsAboutSources(honest),
    evaluations(honest, chain, evaluationCount),
    validations(broadcasts(senders, validationCount)),
    walletRequests(chain, honest, walletCallCount),
    broadcasts(senders, broadcastCount),
    rawTransactions(honest, rawTransactionCount),
    requestsAboutPool(),
  ];
}

async function referenceOptions(library: string, folder: string): Promise<ReferenceOptions> {
  const network = parseSettingsJson(readFileSync(path.join(folder, "network.json"), "utf8"));
  return {
    library,
    folder: path.join(folder, "reference"),
    network: network as ReferenceOptions["network"],
    restPort: await findFreePort(host, 0),
    peerPort: await findFreePort(host, 0),
  };
}

function describe({ routes, differences, absentRoutes }: Comparison, say: (line: string) => void): void {
  for (const [route, { requested, different }] of routes) {
    const isAbsent = absentRoutes.includes(route);
    const outcome = isAbsent
      ? "not compared: this node does not have the route"
      : `${requested - different} of ${requested} equal`;
    say(`  ${route.padEnd(44)} ${outcome}`);
  }
  const shown = new Map<string, number>();
  for (const { request, text } of differences) {
    const count = (shown.get(request.route) ?? 0) + 1;
    shown.set(request.route, count);
    if (count > maxPrintedPerRoute) continue;
    say(`  ${request.path}: ${text.slice(0, 500)}`);
    if (request.body !== undefined) say(`    asked with ${request.body.slice(0, 10_000)}`);
  }
}

function differenceJson({ request, text, expected, got }: Difference): JsonObject {
  return { path: request.path, body: request.body ?? null, text, expected, got };
}

function total({ routes, absentRoutes }: Comparison): number {
  let answers = 0;
  for (const [route, { requested }] of routes) if (!absentRoutes.includes(route)) answers += requested;
  return answers;
}
