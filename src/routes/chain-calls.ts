/** Calls of ChainState that fail in one way only, and are tried again where the platform says that this helps. */
import { CHAIN_STATE_NAME, type ChainCallTarget, type ChainRpc } from "../env.ts";

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
    dev: partOf(namespace, "dev", {
      once: ["mine", "increaseTime", "snapshot", "load", "fund"],
      writes: ["mine", "choosePace", "revert", "reset", "load", "setData", "setScript", "setBalance", "fund"],
      onWrite,
    }),
    fork: partOf(namespace, "fork"),
  };
}

interface CallFacts<Part extends keyof ChainRpc> {
  /** Those that are not tried again. */
  readonly once?: readonly (keyof ChainRpc[Part])[];
  /** Those that change the chain or the pool. */
  readonly writes?: readonly (keyof ChainRpc[Part])[];
  readonly onWrite?: () => void;
}

/** Each method of the part as a call of the object. */
function partOf<Part extends keyof ChainRpc>(
  namespace: ChainNamespace,
  part: Part,
  { once = [], writes = [], onWrite = () => {} }: CallFacts<Part> = {},
): ChainRpc[Part] {
  const onlyOnce = new Set<string>(once as readonly string[]);
  const writing = new Set<string>(writes as readonly string[]);
  const methods = new Proxy(
    {},
    {
      // A thing with `then` would be taken for a promise.
      get: (_, method) =>
        typeof method === "symbol" || method === "then"
          ? undefined
          : (...args: readonly unknown[]) => {
              const isRepeatable = !onlyOnce.has(method);
              const called = calling(namespace, (chain) => chain.call(part, method, args), { isRepeatable });
              return writing.has(method) ? called.finally(onWrite) : called;
            },
    },
  );
  // Which methods there are is said by the type; the object refuses any other.
  return methods as ChainRpc[Part];
}

/** @throws ChainUnavailable */
async function calling<Answer>(
  namespace: ChainNamespace,
  ask: (chain: ChainCallTarget) => Promise<Answer>,
  { isRepeatable }: { readonly isRepeatable: boolean },
): Promise<Answer> {
  // A stub that has failed stays broken, so each try takes a new one. Its type does not know the object's methods.
  const attempt = () => ask(namespace.getByName(CHAIN_STATE_NAME) as unknown as ChainCallTarget);
  try {
    return await attempt().catch((error: unknown) => {
      if (isRepeatable && isRetryable(error)) return attempt();
      throw error;
    });
  } catch (cause) {
    throw new ChainUnavailable("ChainState did not answer", { cause });
  }
}

/** The platform marks errors after which a call may go through, and those of an object that has too much to do. */
function isRetryable(error: unknown): boolean {
  const { retryable, overloaded } = error as { readonly retryable?: boolean; readonly overloaded?: boolean };
  return retryable === true && overloaded !== true;
}
