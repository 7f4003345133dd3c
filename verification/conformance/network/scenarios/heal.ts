/** A partition between two nodes: both go on alone, then it heals, and the chain with the higher score wins on both. */
import { setTimeout as pause } from "node:timers/promises";
import { blockScore } from "../../../../src/rules/consensus/block-score.ts";
import { leastHeight, waitForAgreement, waitUntil } from "../agreement.ts";
import { agreementTimeoutMs, BusyNetwork, timeForMs } from "../busy-network.ts";
import type { NetworkNode } from "../network-node.ts";
import { headersOf, heightOf, transactionsOf } from "../read-chain.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { firstBusyHeight, type NodeKind } from "../short-network.ts";

const pauseMs = 700;
const confirmTimeoutMs = 120_000;

interface Branch {
  readonly node: NetworkNode;
  /** Height of the block below the tip. */
  readonly height: number;
  readonly id: string;
  /** Score of the blocks after the common one, tip included. */
  readonly score: bigint;
  /** Score of the tip alone. */
  readonly tipScore: bigint;
}

export const heal: Scenario = {
  name: "heal",
  about: "the link between ours and the reference is cut and healed: the weightier chain wins, nothing is lost",
  needs: ["reference"],
  play: (stage) => cutAndHealed(stage, ["reference", "ours"], stage.sizes.cuts),
};

/** @param whileCut further actions, started at the beginning of each cut */
export async function cutAndHealed(
  stage: Stage,
  kinds: readonly NodeKind[],
  cuts: number,
  whileCut: (busy: BusyNetwork) => Promise<void> = async () => {},
): Promise<string[]> {
  const busy = await BusyNetwork.started(
    stage,
    kinds.map((kind) => ({ kind, isMining: true })),
  );
  const faults: string[] = [];
  try {
    const { nodes } = busy.group;
    await waitForAgreement(nodes, firstBusyHeight, timeForMs(firstBusyHeight));
    for (let cut = 1; cut <= cuts; cut++) faults.push(...(await cutOnce(busy, cut, whileCut)));
    await sendTransfers(busy, () => true, 5);
    const lost = await unconfirmedOf(busy);
    for (const { name, kind } of nodes) {
      const own = lost.filter((id) => busy.traffic.accepted.get(id) === name);
      if (own.length === 0) continue;
      const fact = `${own.length} transactions that ${name} took were not confirmed: ${own.slice(0, 3)}`;
      // The Go node drops transactions of rolled back blocks, in `others-heal`, without this node, as well.
      if (kind === "go") stage.log(`  ${fact}`);
      else faults.push(fact);
    }
    if (lost.length === 0) stage.log(`  all ${busy.traffic.accepted.size} transactions are confirmed`);
    const height = await leastHeight(nodes);
    return [...faults, ...(await busy.findDifferences(height - 2))];
  } finally {
    await busy.stop();
  }
}

async function cutOnce(
  busy: BusyNetwork,
  cut: number,
  whileCut: (busy: BusyNetwork) => Promise<void>,
): Promise<string[]> {
  const { group, stage } = busy;
  const { cutBlocks } = stage.sizes;
  const common = await waitForAgreement(group.nodes, 1, agreementTimeoutMs);
  await group.cut();
  const starts = new Map(
    await Promise.all(group.nodes.map(async ({ name, url }) => [name, await heightOf(url)] as const)),
  );
  const areLongEnough = async (): Promise<boolean> => {
    const grown = await Promise.all(
      group.nodes.map(async ({ name, url }) => (await heightOf(url)) - (starts.get(name) ?? 0)),
    );
    return Math.min(...grown) >= cutBlocks;
  };
  let isOver = false;
  const done = Promise.all([
    whileCut(busy),
    waitUntil(`${cutBlocks} blocks on both sides of cut ${cut}`, timeForMs(cutBlocks), areLongEnough),
  ]).finally(() => (isOver = true));
  await Promise.all([done, sendTransfers(busy, () => isOver)]);
  const branches = await Promise.all(group.nodes.map((node) => branchOf(node, common)));
  const best = branches.reduce((left, right) => (right.score > left.score ? right : left));
  await group.open();
  const healedMs = performance.now();
  const agreed = await waitForAgreement(group.nodes, best.height, timeForMs(cutBlocks));
  const seconds = ((performance.now() - healedMs) / 1_000).toFixed(1);
  const [settled] = await headersOf(busy.first.url, best.height, best.height);
  const facts = branches.map(({ node, height, score }) => `${node.name} ${height} weighs ${score}`).join(", ");
  stage.log(`cut ${cut} at ${common}: ${facts}; agreed on ${agreed} after ${seconds} s`);
  // If the scores differ by less than a block, either side's next block may have decided before they connected.
  const isClose = branches.some((branch) => branch !== best && best.score - branch.score <= best.tipScore);
  if (settled?.id === best.id || isClose) return [];
  return [`cut ${cut}: the chain of ${best.node.name} weighed most and did not win: ${facts}`];
}

/**
 * A node's blocks after the common ones. The parent of the tip names the branch, as the tip may still get micro-blocks.
 */
async function branchOf(node: NetworkNode, common: number): Promise<Branch> {
  const headers = await headersOf(node.url, common + 1, await heightOf(node.url));
  const scores = headers.map(({ baseTarget }) => blockScore(baseTarget));
  const { height = common, id = "" } = headers.at(-2) ?? {};
  return { node, height, id, score: scores.reduce((sum, score) => sum + score, 0n), tipScore: scores.at(-1) ?? 0n };
}

/** Sends transfers to each node until it is over, at least for the given number of rounds. */
async function sendTransfers(busy: BusyNetwork, isOver: () => boolean, atLeast = 1): Promise<void> {
  for (let round = 0; round < atLeast || !isOver(); round++) {
    for (const node of busy.group.nodes) await busy.traffic.sendTransfer(node);
    await pause(pauseMs);
  }
}

/** Accepted transactions that are in no block after the timeout. */
async function unconfirmedOf({ reader, traffic }: BusyNetwork): Promise<string[]> {
  let missing = [...traffic.accepted.keys()];
  try {
    await waitUntil("all are confirmed", confirmTimeoutMs, async () => {
      const confirmed = await transactionsOf(reader.url, 2, await heightOf(reader.url));
      const ids = new Set(confirmed.map(({ id }) => String(id)));
      missing = [...traffic.accepted.keys()].filter((id) => !ids.has(id));
      return missing.length === 0;
    });
  } catch {
    // The missing transactions are the result.
  }
  return missing;
}
