/** How long answers hold that show the chain. */
import type { Freshness } from "../http/reply.ts";
import { type Chain, isFinal, stateTag } from "../read-model/chain.ts";

/** That has an ETag. */
type Tagged = Exclude<Freshness, { kind: "momentary" | "constant" }>;

/** An answer that any new block may change. @param isTimed so may the clock */
export function asOf(chain: Chain, isTimed = false): Tagged {
  return { kind: "state", tag: stateTag(chain), ...(isTimed && { isTimed }) };
}

/** An answer that shows nothing above a height. @param foundBy see Freshness */
export function upTo(height: number, chain: Chain, foundBy: "id" | "height"): Tagged {
  return isFinal(height, chain) ? { kind: "final", tag: stateTag(chain), foundBy } : asOf(chain);
}

/** Of an answer that writes amounts as texts where others of the same state and form write numbers: it is another one. */
export function withTexts(freshness: Tagged, asText: boolean): Tagged {
  return asText ? { ...freshness, tag: `${freshness.tag}/texts` } : freshness;
}
