/** Calls of ChainState that fail in one way only, and are tried again where the platform says that this helps. */
import { CHAIN_STATE_NAME, type ChainRpc, type Env } from "../env.ts";

/** ChainState did not answer. */
export class ChainUnavailable extends Error {
  override readonly name = "ChainUnavailable";
}

/** Every call may be repeated: a transaction that is in the pool already is accepted again. */
export function chainCalls(namespace: Env["CHAIN_STATE"]): ChainRpc {
  const call = async <Answer>(ask: (chain: ChainRpc) => Promise<Answer>): Promise<Answer> => {
    // A stub that has failed stays broken, so each try takes a new one. Its type does not know the object's methods.
    const attempt = () => ask(namespace.getByName(CHAIN_STATE_NAME) as unknown as ChainRpc);
    try {
      return await attempt().catch((error: unknown) => {
        if (isRetryable(error)) return attempt();
        throw error;
      });
    } catch (cause) {
      throw new ChainUnavailable("ChainState did not answer", { cause });
    }
  };
  return {
    broadcast: (signedTransaction, options) => call((chain) => chain.broadcast(signedTransaction, options)),
    validate: (signedTransaction) => call((chain) => chain.validate(signedTransaction)),
    unconfirmedTransactions: () => call((chain) => chain.unconfirmedTransactions()),
    unconfirmedCount: () => call((chain) => chain.unconfirmedCount()),
    findUnconfirmed: (transactionId) => call((chain) => chain.findUnconfirmed(transactionId)),
    areUnconfirmed: (transactionIds) => call((chain) => chain.areUnconfirmed(transactionIds)),
    wake: () => call((chain) => chain.wake()),
  };
}

/** The platform marks errors after which a call may go through, and those of an object that has too much to do. */
function isRetryable(error: unknown): boolean {
  const { retryable, overloaded } = error as { readonly retryable?: boolean; readonly overloaded?: boolean };
  return retryable === true && overloaded !== true;
}
