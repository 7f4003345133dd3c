/** What the peers' side asks of the chain, as calls of ChainState. */
import { CHAIN_STATE_NAME } from "../src/env.ts";
import type { ChainForPeers } from "./peers/chain-for-peers.ts";

/** The one method of ChainState that PeerHub calls. */
export interface PeersCallTarget {
  callFromPeers(method: keyof ChainForPeers, args: readonly unknown[]): Promise<unknown>;
}

/** Each method as a call; the object refuses any other. Whatever keeps ChainState from answering rejects. */
export function chainOfHub(namespace: Pick<DurableObjectNamespace, "getByName">): ChainForPeers {
  const methods = new Proxy(
    {},
    {
      // A thing with `then` would be taken for a promise.
      get: (_, method) =>
        typeof method === "symbol" || method === "then"
          ? undefined
          : (...args: readonly unknown[]) =>
              // A stub that has failed stays broken. Its type does not know the object's methods.
              (namespace.getByName(CHAIN_STATE_NAME) as unknown as PeersCallTarget).callFromPeers(
                method as keyof ChainForPeers,
                args,
              ),
    },
  );
  return methods as ChainForPeers;
}
