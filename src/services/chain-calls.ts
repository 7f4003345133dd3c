/** Calls of ChainState, with one kind of failure. */
import { CHAIN_STATE_NAME, type ChainCallTarget, type ChainRpc } from "../env.ts";
import { type ObjectCallOptions, objectMethods } from "./object-calls.ts";

/** Methods of the binding that calls need. */
type ChainNamespace = Pick<DurableObjectNamespace, "getByName">;

/** ChainState did not respond. */
export class ChainUnavailable extends Error {
  override readonly name = "ChainUnavailable";
}

/**
 * Returns the services of ChainState. Most calls may be repeated: a transaction already in the pool is accepted again,
 * and a rollback to the same height changes nothing. Creation and deletion of wallet accounts are sent once.
 * @param onWrite called after a call that may have changed what readers see
 */
export function chainCalls(namespace: ChainNamespace, onWrite: () => void = () => {}): ChainRpc {
  return {
    pool: serviceOf(namespace, "pool", { writes: ["broadcastAll"], onWrite }),
    node: serviceOf(namespace, "node"),
    wallet: serviceOf(namespace, "wallet", { once: ["create", "delete"] }),
    owner: serviceOf(namespace, "owner", { writes: ["rollBack"], onWrite }),
    checkpoint: serviceOf(namespace, "checkpoint"),
    dev: serviceOf(namespace, "dev", {
      once: ["mine", "increaseTime", "snapshot", "load", "fund"],
      writes: ["mine", "setMiningMode", "revert", "reset", "load", "setData", "setScript", "setBalance", "fund"],
      onWrite,
    }),
    fork: serviceOf(namespace, "fork"),
  };
}

function serviceOf<Service extends keyof ChainRpc>(
  namespace: ChainNamespace,
  service: Service,
  options: Pick<ObjectCallOptions<ChainRpc[Service]>, "once" | "writes" | "onWrite"> = {},
): ChainRpc[Service] {
  // The stub's type does not have the object's methods.
  const target = () => namespace.getByName(CHAIN_STATE_NAME) as unknown as ChainCallTarget;
  return objectMethods<ChainRpc[Service]>({
    ...options,
    call: async (method, args) => target().call(service, method, args),
    unavailable: (cause) => new ChainUnavailable("ChainState did not answer", { cause }),
  });
}
