import type { NetworkSettings } from "./settings.ts";

/** Whether the node connects with peers: it knows some, or accepts connections. A dev chain never does. */
export function hasPeers({ isDevChain, node: { peers } }: NetworkSettings): boolean {
  return !isDevChain && (peers.knownPeers.length > 0 || peers.bindAddress !== undefined);
}

/**
 * Reason why a node of this network may not forge, without a full stop; undefined if it has enough peers.
 * @param connected number of connected peers
 */
export function findMissingPeers({ name, node }: NetworkSettings, connected: number): string | undefined {
  const { quorum } = node.miner;
  if (connected >= quorum) return undefined;
  const peers = connected === 0 ? "no peer is" : connected === 1 ? "1 peer is" : `${connected} peers are`;
  return `${peers} connected, and ${name} requires ${quorum} to forge`;
}
