/** PeerHub of a node without connections. */
import type { PeersRpc } from "../../../src/env.ts";

export const restingPeers: PeersRpc = {
  known: async () => [],
  connected: async () => [],
  blacklisted: async () => [],
  suspended: async () => [],
  connect: async () => true,
  blacklist: async () => true,
  clearBlacklist: async () => {},
  activity: async () => ({
    ...{ best: undefined, scores: 0, asksForIds: false, missingBlocks: 0, isApplying: false },
    ...{ keptBlocks: 0, keptMicroBlocks: 0, microBlocks: { announced: 0, bases: 0, awaited: 0, judged: 0 } },
  }),
  progress: async () => ({ height: 1, blocksAhead: 0, connectedPeers: 0 }),
};
