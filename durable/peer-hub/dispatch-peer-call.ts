/** Dispatch of calls to PeerHub to their methods. */
import type { PeersRpc } from "../../src/env.ts";

/** Methods that the Worker may call. A method without a line here does not compile. */
const methods: { readonly [Method in keyof PeersRpc]: true } = {
  known: true,
  connected: true,
  blacklisted: true,
  suspended: true,
  connect: true,
  blacklist: true,
  clearBlacklist: true,
  progress: true,
  activity: true,
};

/** @throws Error for an unknown method */
export async function dispatchPeerCall(peers: PeersRpc, method: string, args: readonly unknown[]): Promise<unknown> {
  if (!Object.hasOwn(methods, method)) throw new Error(`PeerHub has no method ${method}`);
  const target = peers as unknown as Record<string, (...values: readonly unknown[]) => Promise<unknown>>;
  return target[method]?.(...args);
}
