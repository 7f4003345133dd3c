/** Client of ChainState for the peers' side. */
import { CHAIN_STATE_NAME } from "../../src/env.ts";
import type { ChainForPeers } from "../../src/rpc/chain-for-peers.ts";

/** Method of ChainState that PeerHub calls. */
export interface PeersCallTarget {
  callFromPeers(method: keyof ChainForPeers, args: readonly unknown[]): Promise<unknown>;
}

/** Returns each method as a call; the object refuses any other. A failure of ChainState rejects. */
export function chainClient(namespace: Pick<DurableObjectNamespace, "getByName">): ChainForPeers {
  const methods = new Proxy(
    {},
    {
      // An object with `then` would be taken for a promise.
      get: (_, method) =>
        typeof method === "symbol" || method === "then"
          ? undefined
          : (...args: readonly unknown[]) =>
              // A stub that has failed stays broken. Its type lacks the object's methods.
              (namespace.getByName(CHAIN_STATE_NAME) as unknown as PeersCallTarget).callFromPeers(
                method as keyof ChainForPeers,
                args,
              ),
    },
  );
  return methods as ChainForPeers;
}
