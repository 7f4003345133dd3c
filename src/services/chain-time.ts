/** Time of the chain's clock. */
import type { NodeContext } from "./context.ts";

/** @returns ms since the epoch, from a dev chain's own clock or the Worker's. @throws ChainUnavailable */
export async function chainTimeMs({
  network,
  chainState,
  nowMs,
}: Pick<NodeContext, "network" | "chainState" | "nowMs">): Promise<number> {
  return network.isDevChain ? (await chainState.dev.status()).timeMs : nowMs();
}
