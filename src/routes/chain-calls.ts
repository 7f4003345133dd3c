/** Calls of ChainState that fail in one way only. */
import { CHAIN_STATE_NAME, type ChainCallTarget, type ChainRpc } from "../env.ts";
import { type CallFacts, objectMethods } from "./object-calls.ts";

/** The part of the binding that calls take. */
type ChainNamespace = Pick<DurableObjectNamespace, "getByName">;

/** ChainState did not answer. */
export class ChainUnavailable extends Error {
  override readonly name = "ChainUnavailable";
}

/**
 * Most calls may be repeated: a transaction that is in the pool already is accepted again, a chain that is rolled back
 * stays. What makes or deletes an account of the wallet is asked once.
 * @param onWrite is told when a call is over that may have changed what readers are to see
 */
export function chainCalls(namespace: ChainNamespace, onWrite: () => void = () => {}): ChainRpc {
  return {
    pool: partOf(namespace, "pool", { writes: ["broadcastAll"], onWrite }),
    node: partOf(namespace, "node"),
    wallet: partOf(namespace, "wallet", { once: ["create", "delete"] }),
    owner: partOf(namespace, "owner", { writes: ["rollBack"], onWrite }),
    checkpoint: partOf(namespace, "checkpoint"),
    dev: partOf(namespace, "dev", {
      once: ["mine", "increaseTime", "snapshot", "load", "fund"],
      writes: ["mine", "choosePace", "revert", "reset", "load", "setData", "setScript", "setBalance", "fund"],
      onWrite,
    }),
    fork: partOf(namespace, "fork"),
  };
}

function partOf<Part extends keyof ChainRpc>(
  namespace: ChainNamespace,
  part: Part,
  facts: Pick<CallFacts<ChainRpc[Part]>, "once" | "writes" | "onWrite"> = {},
): ChainRpc[Part] {
  // The stub's type does not know the object's methods.
  const target = () => namespace.getByName(CHAIN_STATE_NAME) as unknown as ChainCallTarget;
  return objectMethods<ChainRpc[Part]>({
    ...facts,
    call: async (method, args) => target().call(part, method, args),
    unavailable: (cause) => new ChainUnavailable("ChainState did not answer", { cause }),
  });
}
