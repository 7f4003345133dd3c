/** What the chain's clock shows. */
import type { NodeContext } from "./context.ts";

/** @returns ms since the epoch: those of a dev chain's own clock, or of everybody's. @throws ChainUnavailable */
export async function chainTimeMs({
  network,
  chainState,
  nowMs,
}: Pick<NodeContext, "network" | "chainState" | "nowMs">): Promise<number> {
  return network.isDevChain ? (await chainState.dev.status()).timeMs : nowMs();
}
