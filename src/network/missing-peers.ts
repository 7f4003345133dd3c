import type { NetworkSettings } from "./settings.ts";

/** Whether the node speaks with others: it knows some, or lets them connect. A dev chain is nobody else's. */
export function hasPeers({ isDevChain, node: { peers } }: NetworkSettings): boolean {
  return !isDevChain && (peers.knownPeers.length > 0 || peers.bindAddress !== undefined);
}

/**
 * Why a node of this network may stand still, a sentence without a full stop; undefined: it has the peers that it wants.
 * @param connected with how many there is a connection
 */
export function findMissingPeers({ name, node }: NetworkSettings, connected: number): string | undefined {
  const { quorum } = node.miner;
  if (connected >= quorum) return undefined;
  const peers = connected === 0 ? "no peer is" : connected === 1 ? "1 peer is" : `${connected} peers are`;
  return `${peers} connected, and ${name} wants ${quorum} before it makes blocks`;
}
