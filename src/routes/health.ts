/**
 * Whether the node does its work, for whoever watches it: `/node/status` shows the last height for as long as the read
 * model answers, whatever has become of the rest. The reference has no such route.
 */
import type { NodeStanding } from "../env.ts";
import { json, momentary } from "../http/reply.ts";
import { findMissingPeers } from "../network/missing-peers.ts";
import type { NetworkSettings } from "../network/settings.ts";
import type { JsonObject } from "../protocol/json.ts";
import { route } from "./context.ts";

/** Blocks that the read model may be behind: the newest is on its way. */
const MAX_UNPUBLISHED_BLOCKS = 2;
/** A tip older than so many block intervals stands still; the age of one interval is passed every few minutes by chance. */
const STANDSTILL_INTERVALS = 10;
const MIN_STANDSTILL_MS = 60_000;

export interface HealthFacts {
  /** undefined: ChainState did not answer. */
  readonly node: NodeStanding | undefined;
  /** Height that readers see; undefined: none. */
  readonly readHeight: number | undefined;
  readonly nowMs: number;
  readonly network: NetworkSettings;
}

/** What is wrong, a sentence each; nothing when the node works. */
export function findProblems({ node, readHeight, nowMs, network }: HealthFacts): readonly string[] {
  const problems: string[] = [];
  if (node === undefined) problems.push("ChainState does not start or does not answer; its log says why");
  if (readHeight === undefined) problems.push("the read model does not answer, or shows no chain");
  if (node === undefined) return problems;
  if (readHeight !== undefined && readHeight < node.height - MAX_UNPUBLISHED_BLOCKS) {
    problems.push(`the read model is ${node.height - readHeight} blocks behind`);
  }
  if (readHeight !== undefined && readHeight > node.height) {
    problems.push(`the read model shows height ${readHeight}, which the chain does not have`);
  }
  const standstillMs = Math.max(
    STANDSTILL_INTERVALS * network.blockchain.genesis.averageBlockDelayMs,
    MIN_STANDSTILL_MS,
  );
  const ageMs = nowMs - node.tipTimestampMs;
  if (ageMs > standstillMs) {
    const reason = findMissingPeers(network);
    problems.push(`no block for ${Math.floor(ageMs / 1000)} s${reason === undefined ? "" : `: ${reason}`}`);
  }
  return problems;
}

const health = route({
  method: "GET",
  path: "/health",
  handle: async ({ chainState, model, network, nowMs }) => {
    const [node, reading] = await Promise.all([
      chainState.node.standing().catch(() => undefined),
      model.read().catch(() => undefined),
    ]);
    const readHeight = reading?.chain.height;
    const problems = findProblems({ node, readHeight, nowMs: nowMs(), network });
    const value: JsonObject = {
      status: problems.length === 0 ? "ok" : "failing",
      problems,
      height: node?.height ?? null,
      readHeight: readHeight ?? null,
      tipTimestamp: node?.tipTimestampMs ?? null,
    };
    return problems.length === 0 ? json(value, momentary) : { kind: "error", status: 503, value };
  },
});

export const healthRoutes = [health];
