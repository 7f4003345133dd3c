/** PeerHub of a node to which nobody is connected. */
import type { PeersRpc } from "../../src/env.ts";

export const restingPeers: PeersRpc = {
  known: async () => [],
  connected: async () => [],
  blacklisted: async () => [],
  suspended: async () => [],
  connect: async () => true,
  blacklist: async () => true,
  clearBlacklist: async () => {},
  progress: async () => ({ height: 1, blocksAhead: 0, connectedPeers: 0 }),
};
