/** Validity of responses that show the chain. */
import type { Freshness } from "../http/route-response.ts";
import { type Chain, isFinal, stateTag } from "../read-model/chain.ts";

/** Validity with an ETag. */
type Tagged = Exclude<Freshness, { kind: "momentary" | "constant" }>;

/** A response that any new block may change. @param isTimed whether the clock may change it, too */
export function asOf(chain: Chain, isTimed = false): Tagged {
  return { kind: "state", tag: stateTag(chain), ...(isTimed && { isTimed }) };
}

/** A response that shows nothing above a height. @param foundBy see Freshness */
export function upTo(height: number, chain: Chain, foundBy: "id" | "height"): Tagged {
  return isFinal(height, chain) ? { kind: "final", tag: stateTag(chain), foundBy } : asOf(chain);
}

/**
 * Changes the tag of a response with amounts as texts, which differs from one of the same state and form with numbers.
 */
export function withTexts(freshness: Tagged, asText: boolean): Tagged {
  return asText ? { ...freshness, tag: `${freshness.tag}/texts` } : freshness;
}
