/** PeerHub of a node without connections. */
import type { PeersRpc } from "../../../src/env.ts";

export const idlePeers: PeersRpc = {
  known: async () => [],
  connected: async () => [],
  blacklisted: async () => [],
  suspended: async () => [],
  connect: async () => true,
  blacklist: async () => true,
  clearBlacklist: async () => {},
  activity: async () => ({
    ...{ best: undefined, scores: 0, isRequestingIds: false, missingBlocks: 0, isApplying: false },
    ...{ cachedBlocks: 0, cachedMicroBlocks: 0, microBlocks: { announced: 0, bases: 0, awaited: 0, validated: 0 } },
  }),
  progress: async () => ({ height: 1, blocksAhead: 0, connectedPeers: 0 }),
};
