/**
 * Answers blocks and micro-blocks of others whose state hash is wrong with blocks of our own. A block that is challenged once is
 * so for all: whatever else its generator signs on the same parent comes later than the challenge, or cannot be challenged, and
 * that is found before any transaction is run.
 * @source docs/protocol/snapshots-and-state-hash.md 5.2, 5.3; Waves: mining/BlockChallenger.scala
 */
import type { KeyPair } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { Block, MicroBlock } from "../../src/protocol/blocks/block.ts";
import type { ScriptWork } from "../../src/ride/evaluator/script-work.ts";
import { type CommitStep, WHOLE_BLOCK } from "../chain/commit-step.ts";
import type { ForkChoice } from "../chain/fork-choice.ts";
import type { LiquidChain } from "../chain/liquid-chain.ts";
import { PortionSpent } from "../chain/portion-work.ts";
import type { StepPlace } from "../state/state-store.ts";
import { ChallengeTooCostly } from "./elided-work.ts";
import { type ForgedChallenge, forgeChallenge } from "./forge-challenge.ts";
import type { GeneratorDraws } from "./generator-draw.ts";
import type { OwnVotes } from "./own-header.ts";

export interface ChallengerFacts {
  readonly forks: Pick<ForkChoice, "findPlace" | "expect">;
  readonly liquid: Pick<LiquidChain, "extended" | "stored">;
  readonly steps: Pick<CommitStep, "whileTakenBack">;
  readonly accounts: () => readonly KeyPair[];
  readonly draws: GeneratorDraws;
  readonly node: OwnVotes;
  readonly random: RandomSource;
  /** Is told why a challenge was not made that could be. */
  readonly tooCostly: (reason: string) => void;
}

export class Challenger {
  readonly #facts: ChallengerFacts;

  constructor(facts: ChallengerFacts) {
    this.#facts = facts;
  }

  /**
   * @param block was refused for its state hash and nothing else
   * @returns a block in its place; undefined: it cannot be challenged, or not by this node
   * @throws RuleError where the chain has no place for it any more
   */
  challengeBlock(block: Block, work?: ScriptWork): ForgedChallenge | undefined {
    // Whoever challenges wrongly is not challenged.
    if (block.header.challengedHeader !== undefined) return undefined;
    const place = this.#facts.forks.findPlace(block);
    return place && this.#forge(block, place, work);
  }

  /**
   * @param microBlock of the tip, refused for its state hash and nothing else
   * @returns a block in the place of the tip with the micro-block; undefined as above
   */
  challengeMicroBlock(microBlock: MicroBlock, work?: ScriptWork): ForgedChallenge | undefined {
    const { liquid } = this.#facts;
    const { height } = liquid.stored.view;
    return this.#forge(liquid.extended(microBlock), { height: height - 1, step: WHOLE_BLOCK }, work);
  }

  /** Where it takes too long, or is too long, none is made. */
  #forge(challenged: Block, place: StepPlace, work: ScriptWork | undefined): ForgedChallenge | undefined {
    try {
      return this.#forgeAt(challenged, place, work);
    } catch (error) {
      if (!(error instanceof ChallengeTooCostly || error instanceof PortionSpent)) throw error;
      this.#facts.tooCostly(error.message);
      return undefined;
    }
  }

  #forgeAt(challenged: Block, place: StepPlace, work: ScriptWork | undefined): ForgedChallenge | undefined {
    const { forks, liquid, steps, accounts, ...facts } = this.#facts;
    const { stored } = liquid;
    const { view } = stored;
    return steps.whileTakenBack(place, () => {
      forks.expect(challenged.transactions);
      const { height, carryFee } = stored.tip();
      const parent = { carryFee, transactions: () => stored.transactionsAt(height) };
      return forgeChallenge({ ...facts, view, parent, challenged, accounts: accounts(), work });
    });
  }
}
