import { PEER_HUB_NAME } from "../../../src/env.ts";
import type { ChainListener } from "../../../src/rpc/chain-for-peers.ts";
import { logError } from "../../log.ts";

/** Notifies PeerHub. A failure is only logged: PeerHub fetches the tip when it is back. */
export function hubListener(namespace: Pick<DurableObjectNamespace, "getByName">): ChainListener {
  return {
    onChainEvents: async (news) => {
      try {
        // A stub that has failed stays broken. Its type lacks the object's methods.
        await (namespace.getByName(PEER_HUB_NAME) as unknown as ChainListener).onChainEvents(news);
      } catch (error) {
        logError("PeerHub was not notified", error);
      }
    },
  };
}
