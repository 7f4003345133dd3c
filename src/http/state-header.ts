/**
 * What the Worker tells the server that stands before it on a laptop (`scripts/runner/front-server.ts`): which state was the
 * newest when an answer was right. Clients do not see it.
 */
import type { Chain } from "../read-model/chain.ts";
import { drawnOf } from "../tables/chain.ts";

export const stateHeader = "X-State";

/** `<read model>/<epoch>/<sequence>`: of one read model, and one epoch of its chain, later states have greater numbers. */
export function shownState({ identity, epoch, sequence }: Chain): string {
  return `${drawnOf(identity)}/${epoch}/${sequence}`;
}
