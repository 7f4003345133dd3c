/** Nodes of one network that know each other by bytes alone. */
import { PeerCalls } from "../../../durable/chain-state/peers/peer-calls.ts";
import { PeerCount } from "../../../durable/chain-state/peers/peer-count.ts";
import { pollUntilDone } from "../../../durable/peer-hub/sync/poll-until-done.ts";
import { concatBytes } from "../../../src/crypto/bytes.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import type { ChainEvents, ChainListener, ReceivedBlocks, ValidationResult } from "../../../src/rpc/chain-for-peers.ts";
import { SimulatedNode, type SimulationOptions } from "../../../verification/simulation/simulated-node.ts";

export interface Follower {
  readonly node: SimulatedNode;
  readonly calls: PeerCalls;
}

export function follower(options: SimulationOptions): Follower {
  const count = new PeerCount(() => node.nowMs);
  const node: SimulatedNode = new SimulatedNode({ connectedPeers: () => count.peers, ...options });
  return { node, calls: new PeerCalls({ node: node.node, count, nowMs: () => node.nowMs }) };
}

/** Node as its peers see it. @param sliceWork by default that of any node */
export function followerOf(node: SimulatedNode, sliceWork?: number): Follower {
  const nowMs = () => node.nowMs;
  const options = { node: node.node, count: new PeerCount(nowMs), nowMs, sliceWork };
  return { node, calls: new PeerCalls(options) };
}

/** Listener that records its notifications. */
export function listener(): ChainListener & { readonly notifications: ChainEvents[] } {
  const notifications: ChainEvents[] = [];
  return {
    notifications,
    onChainEvents: async (event) => void notifications.push(event),
  };
}

/** Blocks as they are sent. */
export function receivedBlocks(blocks: readonly Uint8Array[], verified = ""): ReceivedBlocks {
  return { blocks: concatBytes(...blocks.map(encodeBlockRecord)), verified };
}

/**
 * Requests the blocks that this node lacks from another one, and applies them.
 * @param count number of ids in a request
 * @param partOf number of blocks in a chunk
 */
export async function synchronize(
  { calls }: Follower,
  source: PeerCalls,
  { count = 100, partOf = count }: { readonly count?: number; readonly partOf?: number } = {},
): Promise<ValidationResult | undefined> {
  let last: ValidationResult | undefined;
  for (let round = 0; ; round++) {
    const known = await calls.lastBlockIds(count);
    const has = new Set(known.map(String));
    const ids = (await source.blockIdsAfter(known, count)).filter((id) => !has.has(String(id)));
    if (ids.length === 0) return last;
    const blocks = await Promise.all(ids.map(async (id) => (await source.findBlock(id)) as Uint8Array));
    for (let first = 0; first < blocks.length; first += partOf) {
      const isLast = first + partOf >= blocks.length;
      const part = { ...receivedBlocks(blocks.slice(first, first + partOf)), name: String(round), isLast };
      const result = await pollUntilDone(() => calls.applyExtension(part));
      if (result !== "more") last = result;
    }
    if (last?.kind !== "applied") return last;
  }
}
