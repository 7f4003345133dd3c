/**
 * What the Worker tells the server that stands before it on a laptop (`scripts/runner/front-server.ts`): which state was the
 * newest when an answer was right. Clients do not see it.
 */
import type { Chain } from "../read-model/chain.ts";

export const stateHeader = "X-State";

/** `<epoch>.<sequence>`: of two states of a node the later one has the greater epoch, or the greater number in the same one. */
export function shownState({ epoch, sequence }: Chain): string {
  return `${epoch}.${sequence}`;
}
