/** Dispatch of PeerHub's calls to their methods. The Worker cannot call these. */
import type { ChainForPeers } from "../../../src/rpc/chain-for-peers.ts";

/** Methods that PeerHub may call. A method without a line here does not compile. */
export const hubMethods: { readonly [Method in keyof ChainForPeers]: true } = {
  chainTip: true,
  lastBlockIds: true,
  blockIdsAfter: true,
  findBlock: true,
  findBlockSnapshot: true,
  findMicroBlockSnapshot: true,
  findHeaderError: true,
  applyBlock: true,
  applyExtension: true,
  applyMicroBlock: true,
  submitTransactions: true,
  votingRound: true,
  applyEndorsements: true,
  connected: true,
};

/** @throws Error for an unknown method */
export async function dispatchHubCall(
  chain: ChainForPeers,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  if (!Object.hasOwn(hubMethods, method)) throw new Error(`ChainState has no method ${method} for peers`);
  const target = chain as unknown as Record<string, (...values: readonly unknown[]) => Promise<unknown>>;
  return target[method]?.(...args);
}
