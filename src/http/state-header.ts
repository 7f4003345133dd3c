/**
 * Header from the Worker to the local front server (`local/runtime/front-server.ts`): newest state when the response
 * was valid. Clients do not see it.
 */
import type { Chain } from "../read-model/chain.ts";

export const stateHeader = "X-State";

/** `<epoch>.<sequence>`: the later state of a node has a greater epoch, or a greater number in the same epoch. */
export function stateText({ epoch, sequence }: Chain): string {
  return `${epoch}.${sequence}`;
}
