import { PEER_HUB_NAME } from "../src/env.ts";
import { logFault } from "./log.ts";
import type { ChainListener } from "./peers/chain-for-peers.ts";

/** Tells PeerHub, which may be away: then it learns where the chain stands when it comes back. */
export function hubListener(namespace: Pick<DurableObjectNamespace, "getByName">): ChainListener {
  return {
    told: async (news) => {
      try {
        // A stub that has failed stays broken. Its type does not know the object's methods.
        await (namespace.getByName(PEER_HUB_NAME) as unknown as ChainListener).told(news);
      } catch (error) {
        logFault("PeerHub was not told", error);
      }
    },
  };
}
