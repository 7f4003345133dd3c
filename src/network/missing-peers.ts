import type { NetworkSettings } from "./settings.ts";

/** Whether the node speaks with others: it knows some, or lets them connect. A dev chain is nobody else's. */
export function hasPeers({ isDevChain, node: { peers } }: NetworkSettings): boolean {
  return !isDevChain && (peers.knownPeers.length > 0 || peers.bindAddress !== undefined);
}

/** Why a node of this network would stand still, a sentence without a full stop; undefined: it makes blocks, or gets them. */
export function findMissingPeers(network: NetworkSettings): string | undefined {
  const { quorum } = network.node.miner;
  if (quorum === 0 || hasPeers(network)) return undefined;
  return `it knows no other nodes, and ${network.name} wants ${quorum} before it makes blocks`;
}
