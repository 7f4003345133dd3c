/**
 * What a challenge of ours may run for transactions that it elides. They use nothing of the block's limits: a generator who signs a
 * wrong block can have each of its thousands of transactions run to the end in the answer, though in the block they cost next to nothing.
 */
import type { OnElided } from "../../src/rules/blocks/apply-block.ts";
import { elidedComplexity } from "../pool/pack-effort.ts";

/** Of scripts; a block has room for 2,500,000. More than all that a megabyte of transfers counts that nobody can pay for. */
const MOST_ELIDED_COMPLEXITY = 4_000_000n;

/** The challenge would take too long, or have more bytes than a message: none is made. */
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
