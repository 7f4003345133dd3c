/** How long answers hold that show the chain. */
import type { Freshness } from "../http/reply.ts";
import { type Chain, isFinal, stateTag } from "../read-model/chain.ts";

/** An answer that any new block may change. @param isTimed so may the clock */
export function asOf(chain: Chain, isTimed = false): Freshness {
  return { kind: "state", tag: stateTag(chain), ...(isTimed && { isTimed }) };
}

/** An answer that shows nothing above a height. @param foundBy see Freshness */
export function upTo(height: number, chain: Chain, foundBy: "id" | "height"): Freshness {
  return isFinal(height, chain) ? { kind: "final", tag: stateTag(chain), foundBy } : asOf(chain);
}
