/** Calls of PeerHub that fail in one way only. */
import { PEER_HUB_NAME, type PeerCallTarget, type PeersRpc } from "../env.ts";
import { objectMethods } from "./object-calls.ts";

/** The part of the binding that calls take. */
type PeerNamespace = Pick<DurableObjectNamespace, "getByName">;

/** PeerHub did not answer. */
export class PeersUnavailable extends Error {
  override readonly name = "PeersUnavailable";
}

/** All calls may be repeated: who is connected, or shut out, already stays so. */
export function peerCalls(namespace: PeerNamespace): PeersRpc {
  // The stub's type does not know the object's method.
  const target = () => namespace.getByName(PEER_HUB_NAME) as unknown as PeerCallTarget;
  return objectMethods<PeersRpc>({
    call: async (method, args) => target().call(method as keyof PeersRpc, args),
    unavailable: (cause) => new PeersUnavailable("PeerHub did not answer", { cause }),
  });
}
