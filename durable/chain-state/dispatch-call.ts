/** Dispatch of the Worker's calls (`chainCalls`) to their methods. */
import type { ChainRpc } from "../../src/env.ts";

/** Methods that the Worker may call. A method without a line here does not compile. */
const methods: { readonly [Part in keyof ChainRpc]: { readonly [Method in keyof ChainRpc[Part]]: true } } = {
  pool: {
    broadcastAll: true,
    unconfirmedIds: true,
    someUnconfirmed: true,
    unconfirmedCount: true,
    findUnconfirmed: true,
    areUnconfirmed: true,
    priorityTransactions: true,
  },
  node: { wake: true, status: true, orderFills: true },
  wallet: {
    accounts: true,
    create: true,
    delete: true,
    seed: true,
    accountSeed: true,
    sign: true,
    endorserKey: true,
    commitment: true,
  },
  owner: { activity: true, miningAccounts: true, rollBack: true, stop: true },
  checkpoint: { call: true },
  dev: {
    status: true,
    impersonate: true,
    setData: true,
    setScript: true,
    setBalance: true,
    fund: true,
    mine: true,
    setMiningMode: true,
    setTime: true,
    increaseTime: true,
    snapshot: true,
    revert: true,
    reset: true,
    dump: true,
    load: true,
  },
  fork: { fetchState: true },
};

/** Services of a chain: some exist only on a dev chain or a fork, and without a node there is only `checkpoint`. */
export type ChainServices = { readonly [Part in keyof ChainRpc]?: ChainRpc[Part] | undefined };

/** @throws Error for an unknown method */
export async function dispatchCall(
  services: ChainServices,
  service: keyof ChainRpc,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  if (!Object.hasOwn(methods, service) || !Object.hasOwn(methods[service], method))
    throw new Error(`ChainState has no method ${service}.${method}`);
  if (services[service] === undefined)
    throw new Error(`this chain has no service ${service}: it is no dev chain, or no fork`);
  const target = services[service] as unknown as Record<string, (...values: readonly unknown[]) => Promise<unknown>>;
  return target[method]?.(...args);
}
