/** One chain: made, imported into the reference and into this node, and asked about. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findFreePort } from "../../local/runtime/free-port.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { parseSettingsJson } from "../../src/network/parse-network.ts";
import { type JsonObject, jsonText } from "../../src/protocol/json.ts";
import { ChainWorld } from "../chain-generator/chain-world.ts";
import type { ChainWish } from "../chain-generator/forge-chain.ts";
import { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type WrittenChain, writeChain } from "../chain-generator/write-chain.ts";
import { readyNode } from "../local-node.ts";
import { broadcasts } from "./broadcasts.ts";
import { type ChainFacts, readChainFacts } from "./chain-inventory.ts";
import { type Comparison, compareNodes, type Difference } from "./compare-nodes.ts";
import { DistortedWorld } from "./distorted-world.ts";
import { questionsOfWallets, rawTransactions } from "./ethereum-requests.ts";
import { type Question, questionsAbout, questionsAboutPool } from "./node-requests.ts";
import { importIntoReference, type ReferenceFacts, serveReference } from "./reference-node.ts";
import { questionsInAllForms } from "./request-forms.ts";
import { questionsAfterRollback, rollBack } from "./rollback-requests.ts";
import { evaluations, questionsAboutScripts, questionsAboutSources, validations } from "./script-requests.ts";

export interface ChainCheck {
  /** Folder of the reference's jars. */
  readonly library: string;
  /** Folder to work in; it must not be there yet. */
  readonly folder: string;
  readonly wish: ChainWish;
  /** By how many blocks both nodes are rolled back at last, and asked again; 0: they are not. */
  readonly rollback: number;
  /** Shows a line of progress. */
  readonly say: (line: string) => void;
}

export interface ChainResult {
  readonly answers: number;
  readonly faults: number;
  /** Questions that got no timely answer. */
  readonly unanswered: number;
}

const shownPerRoute = 3;
const host = "127.0.0.1";
const progressAnswers = 2_000;
const formCount = 400;
const broadcastCount = 1_500;
const validationCount = 700;
const evaluationCount = 1_000;
const walletCallCount = 2_500;
const rawTransactionCount = 700;

export async function checkChain({ library, folder, wish, rollback, say }: ChainCheck): Promise<ChainResult> {
  // One block more than is wanted: from feature 22 on the reference does not store the last one.
  const made = writeChain(folder, { ...wish, blocks: wish.blocks + 1 });
  say(
    `forged ${wish.blocks} blocks: ${made.transactions} transactions, ${made.chain.microBlocks} micro-blocks, ${made.chain.challenges} challenges`,
  );
  if (made.missing.length > 0) say(`not on this chain: ${made.missing.join(", ")}`);
  const reference = await referenceFacts(library, folder);
  const blockFile = path.join(folder, "blocks.bin");
  const { appended, refusal } = await importIntoReference(reference, blockFile);
  if (refusal !== undefined || appended !== wish.blocks) {
    say(`the reference refused the block at height ${appended + 2}: ${refusal ?? "it does not say why"}`);
    return { answers: 0, faults: 1, unanswered: 0 };
  }
  say(`the reference appended ${appended} blocks with full validation`);
  const comparisons = await askBoth(reference, { folder, blockFile, wish, rollback, made, say });
  const sum = (countOf: (comparison: Comparison) => number): number =>
    comparisons.reduce((count, comparison) => count + countOf(comparison), 0);
  return {
    answers: sum(total),
    faults: sum(({ differences }) => differences.length),
    unanswered: sum(({ unanswered }) => unanswered),
  };
}

async function askBoth(
  reference: ReferenceFacts,
  {
    folder,
    blockFile,
    wish,
    rollback,
    made,
    say,
  }: Pick<ChainCheck, "folder" | "wish" | "rollback" | "say"> & {
    readonly blockFile: string;
    readonly made: WrittenChain;
  },
): Promise<readonly Comparison[]> {
  const expected = await serveReference(reference);
  try {
    const chain = await readChainFacts(expected.url);
    checkIds(chain, made);
    const network = path.join(folder, "network.json");
    const flags = ["--network", network, "--import", blockFile, "--to-height", String(chain.height)];
    const node = await readyNode([...flags, "--no-mining", "--memory"]);
    try {
      const compared = async (questions: readonly Iterable<Question>[], file: string): Promise<Comparison> => {
        const comparison = await compareNodes(expected.url, node.url, questions, (asked) => {
          if (asked % progressAnswers === 0) say(`${asked} answers`);
        });
        describe(comparison, say);
        writeFileSync(path.join(folder, file), jsonText(comparison.differences.map(differenceJson)));
        return comparison;
      };
      const first = await compared(phases(chain, made, wish), "differences.json");
      const height = Math.max(1, chain.height - rollback);
      if (height === chain.height) return [first];
      await rollBack([expected.url, node.url], height);
      say(`both are rolled back to height ${height}`);
      const random = new SeededRandom(`rollback ${wish.seed}`);
      const second = await compared([questionsAfterRollback(chain, height, random)], "differences-after-rollback.json");
      return [first, second];
    } finally {
      await node.stop();
    }
  } finally {
    await expected.stop();
  }
}

/** @throws Error when the reference has other blocks than were forged */
function checkIds({ height, blockIds }: ChainFacts, made: WrittenChain): void {
  const expected = made.blockIds.map(encodeBase58);
  if (height < expected.length - 1) throw new Error(`the reference has ${height} blocks only`);
  const other = blockIds.findIndex((id, index) => id !== expected[index]);
  if (other >= 0) throw new Error(`the reference has another block at height ${other + 1}`);
}

function phases(chain: ChainFacts, { chain: { node, world } }: WrittenChain, wish: ChainWish): Iterable<Question>[] {
  const random = new SeededRandom(`questions ${wish.seed}`);
  node.chain.forks.revertTo(chain.height);
  const { view, accounts, known } = world;
  const senders = new DistortedWorld({ view, accounts, known, random, nowMs: Date.now });
  const honest = new ChainWorld({ view, accounts, known, random, nowMs: Date.now });
  return [
    questionsAbout(chain, random),
    questionsInAllForms(chain, random, formCount),
    questionsAboutScripts(chain, random),
    questionsAboutSources(honest),
    evaluations(honest, chain, evaluationCount),
    validations(broadcasts(senders, validationCount)),
    questionsOfWallets(chain, honest, walletCallCount),
    broadcasts(senders, broadcastCount),
    rawTransactions(honest, rawTransactionCount),
    questionsAboutPool(),
  ];
}

async function referenceFacts(library: string, folder: string): Promise<ReferenceFacts> {
  const network = parseSettingsJson(readFileSync(path.join(folder, "network.json"), "utf8"));
  return {
    library,
    folder: path.join(folder, "reference"),
    network: network as ReferenceFacts["network"],
    restPort: await findFreePort(host, 0),
    peerPort: await findFreePort(host, 0),
  };
}

function describe({ routes, differences, absentRoutes }: Comparison, say: (line: string) => void): void {
  for (const [route, { asked, different }] of routes) {
    const isAbsent = absentRoutes.includes(route);
    const outcome = isAbsent
      ? "not compared: this node does not have the route"
      : `${asked - different} of ${asked} equal`;
    say(`  ${route.padEnd(44)} ${outcome}`);
  }
  const shown = new Map<string, number>();
  for (const { question, text } of differences) {
    const count = (shown.get(question.route) ?? 0) + 1;
    shown.set(question.route, count);
    if (count > shownPerRoute) continue;
    say(`  ${question.path}: ${text.slice(0, 500)}`);
    if (question.body !== undefined) say(`    asked with ${question.body.slice(0, 10_000)}`);
  }
}

function differenceJson({ question, text, expected, got }: Difference): JsonObject {
  return { path: question.path, body: question.body ?? null, text, expected, got };
}

function total({ routes, absentRoutes }: Comparison): number {
  let answers = 0;
  for (const [route, { asked }] of routes) if (!absentRoutes.includes(route)) answers += asked;
  return answers;
}
