/**
 * Limit of the work on transactions that our own challenge elides. Elided transactions do not count for the block's
 * limits: a generator of a wrong block could have each of its thousands of transactions run to the end in the
 * challenge, though in the block they cost next to nothing.
 */
import type { OnElided } from "../../../src/rules/blocks/apply-block.ts";
import { elidedComplexity } from "../pool/pack-effort.ts";

/**
 * Maximum complexity of scripts; a block has room for 2,500,000. It is above that of a megabyte of transfers whose
 * fees are not covered.
 */
const MOST_ELIDED_COMPLEXITY = 4_000_000n;

/** The challenge would take too long, or be larger than a message: none is made. */
export class ChallengeTooCostly extends Error {
  override readonly name = "ChallengeTooCostly";
}

export class ElidedWork {
  #complexity = 0n;

  /** @throws ChallengeTooCostly */
  readonly add: OnElided = (refusal, effort, run) => {
    this.#complexity += elidedComplexity(refusal, effort, run);
    if (this.#complexity > MOST_ELIDED_COMPLEXITY)
      throw new ChallengeTooCostly(`transactions that are elided cost more than ${MOST_ELIDED_COMPLEXITY}`);
  };
}
