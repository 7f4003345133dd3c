import type { NetworkSettings } from "./settings.ts";

/** Why a node of this network would stand still, a sentence without a full stop; undefined: it makes blocks alone. */
export function findMissingPeers({ name, node }: NetworkSettings): string | undefined {
  const { quorum } = node.miner;
  if (quorum === 0) return undefined;
  return `this version connects to no peers, and ${name} wants ${quorum} before it makes blocks`;
}
