/**
 * Health check of the node: `/node/status` shows the last height as long as the read model responds, even if everything
 * else has failed. The reference has no such route.
 */

import * as z from "zod";
import type { NodeStatus, PeersRpc, SyncProgress } from "../env.ts";
import { json, momentary } from "../http/route-response.ts";
import { int32, int64 } from "../http/schema.ts";
import { findMissingPeers } from "../network/missing-peers.ts";
import type { NetworkSettings } from "../network/settings.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Chain } from "../read-model/chain.ts";
import type { ReadModel } from "../read-model/read-model.ts";
import { ReadModelUnavailable } from "../read-model/read-model-unavailable.ts";
import { route } from "../services/context.ts";
import { timestamp } from "./schemas/values.ts";

/** Blocks that the read model may lag: the newest is still being published. */
const MAX_UNPUBLISHED_BLOCKS = 2;
/** Maximum delay of a change before the read model has it: publication is retried after pauses of up to a minute. */
const MAX_UNPUBLISHED_MS = 90_000;
/**
 * Age of the tip, in block intervals, above which the chain counts as stalled; one interval is exceeded every few
 * minutes by chance.
 */
const STANDSTILL_INTERVALS = 10;
const MIN_STANDSTILL_MS = 60_000;

/** State that readers see: a height, or the reason why they see none. */
export type PublishedChain = Pick<Chain, "height" | "epoch"> | { readonly reason: string };

/** Lag of the read model; undefined if it or ChainState does not respond. */
export interface ReadLag {
  /** Blocks that readers do not see yet. */
  readonly blocks: number;
  /** Age of the oldest change that readers do not see yet, by ChainState's clock; 0: they see all. */
  readonly milliseconds: number;
}

export function readLagOf(node: NodeStatus | undefined, shown: PublishedChain): ReadLag | undefined {
  if (node === undefined || "reason" in shown) return undefined;
  // The two results are from different moments: readers may see newer data.
  return { blocks: Math.max(0, node.height - shown.height), milliseconds: node.unpublishedMs };
}

/** Status from PeerHub, or that it did not respond; undefined: the node has no peers. */
export type SeenPeers = SyncProgress | "unreachable" | undefined;

/** @param peers undefined: the node has none */
export async function seenPeers(peers: PeersRpc | undefined): Promise<SeenPeers> {
  return peers?.progress().catch(() => "unreachable");
}

export interface HealthInput {
  /** Undefined: ChainState did not respond. */
  readonly node: NodeStatus | undefined;
  readonly published: PublishedChain;
  readonly peers: SeenPeers;
  readonly nowMs: number;
  readonly network: NetworkSettings;
}

/** Problems, a sentence each; none if the node works. */
export function findProblems({ node, published, peers, nowMs, network }: HealthInput): readonly string[] {
  const problems: string[] = [];
  if (node === undefined) problems.push("ChainState does not start or does not answer; its log says why");
  if ("reason" in published) problems.push(`readers see nothing: ${published.reason}`);
  if (peers === "unreachable") problems.push("PeerHub does not start or does not answer; its log says why");
  if (node === undefined) return problems;
  if ("height" in published && published.height < node.height - MAX_UNPUBLISHED_BLOCKS) {
    problems.push(`the read model is ${node.height - published.height} blocks behind`);
  }
  if ("height" in published && node.unpublishedMs > MAX_UNPUBLISHED_MS) {
    problems.push(`the read model has lacked changes for ${Math.floor(node.unpublishedMs / 1000)} s`);
  }
  if ("height" in published && published.height > node.height) {
    problems.push(`the read model shows height ${published.height}, which the chain does not have`);
  }
  const standstillMs = Math.max(
    STANDSTILL_INTERVALS * network.blockchain.genesis.averageBlockDelayMs,
    MIN_STANDSTILL_MS,
  );
  const ageMs = nowMs - node.tipTimestampMs;
  // The tip of a dev chain may have any age.
  if (network.isDevChain === undefined && ageMs > standstillMs) {
    const reason = standstillReason({ node, peers, network });
    problems.push(`no block for ${Math.floor(ageMs / 1000)} s${reason === undefined ? "" : `: ${reason}`}`);
  }
  return problems;
}

/** Probable reason for an old tip. */
function standstillReason({
  node,
  peers,
  network,
}: Pick<HealthInput, "peers" | "network"> & { readonly node: NodeStatus }): string | undefined {
  const progress = peers === "unreachable" ? undefined : peers;
  if (progress !== undefined && progress.blocksAhead > 0) return `${progress.blocksAhead} blocks behind its peers`;
  if (node.isStopped) return "its owner has stopped it";
  return findMissingPeers(network, progress?.connectedPeers ?? 0);
}

/** Reads the state; a refusal of the read model becomes the reason. */
export async function publishedChain(model: ReadModel): Promise<PublishedChain> {
  try {
    const { chain } = await model.read();
    return chain;
  } catch (error) {
    if (!(error instanceof ReadModelUnavailable)) return { reason: "no state of the chain could be published" };
    const { message, progress } = error;
    return { reason: progress === undefined ? message : `${message} yet: ${progress}` };
  }
}

const health = route({
  method: "GET",
  path: "/health",
  dependsOn: "node",
  description: {
    tag: "node",
    summary: "Health check",
    notes: "Status 503 with a list of problems if the node does not work. Only this implementation has it.",
    response: () =>
      z.strictObject({
        status: z.enum(["ok", "failing"]),
        problems: z.array(z.string()),
        height: int32().nullable(),
        readHeight: int32().nullable().meta({ description: "Height that readers see." }),
        tipTimestamp: timestamp().nullable(),
        readLagBlocks: int32().nullable().meta({ description: "Blocks that readers do not see yet." }),
        readLagMs: int64()
          .nullable()
          .meta({ description: "Age of the oldest change that readers do not see yet; 0 if they see all." }),
        connectedPeers: int32().nullable().meta({ description: "Null if the node has no peers." }),
        blocksAhead: int32().nullable().meta({ description: "Number of blocks that the best peer is ahead." }),
      }),
    examples: [{}],
  },
  handle: async (context) => {
    const { chainState, model, network, nowMs } = context;
    const [node, shown, peers] = await Promise.all([
      chainState.node.status().catch(() => undefined),
      publishedChain(model),
      seenPeers(context.peers),
    ]);
    const problems = findProblems({ node, published: shown, peers, nowMs: nowMs(), network });
    const progress = peers === "unreachable" ? undefined : peers;
    const lag = readLagOf(node, shown);
    const value: JsonObject = {
      status: problems.length === 0 ? "ok" : "failing",
      problems,
      height: node?.height ?? null,
      readHeight: "height" in shown ? shown.height : null,
      tipTimestamp: node?.tipTimestampMs ?? null,
      readLagBlocks: lag?.blocks ?? null,
      readLagMs: lag?.milliseconds ?? null,
      connectedPeers: progress?.connectedPeers ?? null,
      blocksAhead: progress?.blocksAhead ?? null,
    };
    return problems.length === 0 ? json(value, momentary) : { kind: "error", status: 503, value };
  },
});

export const healthRoutes = [health];
