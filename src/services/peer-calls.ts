/** Calls of PeerHub, with one kind of failure. */
import { PEER_HUB_NAME, type PeerCallTarget, type PeersRpc } from "../env.ts";
import { objectMethods } from "./object-calls.ts";

/** Methods of the binding that calls need. */
type PeerNamespace = Pick<DurableObjectNamespace, "getByName">;

/** PeerHub did not respond. */
export class PeersUnavailable extends Error {
  override readonly name = "PeersUnavailable";
}

/** Returns the service of PeerHub. All calls may be repeated: a peer already connected or blacklisted stays so. */
export function peerCalls(namespace: PeerNamespace): PeersRpc {
  // The stub's type does not have the object's method.
  const target = () => namespace.getByName(PEER_HUB_NAME) as unknown as PeerCallTarget;
  return objectMethods<PeersRpc>({
    call: async (method, args) => target().call(method as keyof PeersRpc, args),
    unavailable: (cause) => new PeersUnavailable("PeerHub did not answer", { cause }),
  });
}
