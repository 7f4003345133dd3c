/**
 * Answers blocks and micro-blocks of others whose state hash is wrong with blocks of our own. A block that is challenged once is
 * so for all: whatever else its generator signs on the same parent comes later than the challenge, or cannot be challenged, and
 * that is found before any transaction is run.
 * @source docs/protocol/snapshots-and-state-hash.md 5.2, 5.3; Waves: mining/BlockChallenger.scala
 */
import { type BytesKey, bytesKey } from "../../src/crypto/bytes.ts";
import type { KeyPair } from "../../src/crypto/identities.ts";
import type { RandomSource } from "../../src/crypto/random.ts";
import type { Block, MicroBlock } from "../../src/protocol/blocks/block.ts";
import { type CommitStep, WHOLE_BLOCK } from "../chain/commit-step.ts";
import type { ForkChoice } from "../chain/fork-choice.ts";
import type { LiquidChain } from "../chain/liquid-chain.ts";
import { PortionSpent, type PortionWork } from "../chain/portion-work.ts";
import type { StepPlace } from "../state/state-store.ts";
import { ChallengeTooCostly } from "./elided-work.ts";
import { beginChallenge, type ChallengeInTheMaking, type ForgedChallenge } from "./forge-challenge.ts";
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

/** How often the same challenge is begun, where others came between its calls. */
const MAX_BEGINNINGS = 3;
/** Ids of blocks whose challenge was begun and has not come to its end. */
const MAX_IDS = 100;

export class Challenger {
  readonly #facts: ChallengerFacts;
  /** The one that ran last: it takes 20 MB where its block is full. */
  #underWay: { readonly key: BytesKey; readonly challenge: ChallengeInTheMaking } | undefined;
  /** How often, by the id of the challenged block. The one that was begun last comes last. */
  readonly #begun = new Map<BytesKey, number>();

  constructor(facts: ChallengerFacts) {
    this.#facts = facts;
  }

  /**
   * @param block was refused for its state hash and nothing else
   * @returns a block in its place; undefined: it cannot be challenged, or not by this node
   * @throws RuleError where the chain has no place for it any more
   * @throws PortionSpent: the same call again goes on with the challenge
   */
  challengeBlock(block: Block, work?: PortionWork): ForgedChallenge | undefined {
    // Whoever challenges wrongly is not challenged.
    if (block.header.challengedHeader !== undefined) return undefined;
    return this.#forge(block, () => this.#facts.forks.findPlace(block), work);
  }

  /**
   * @param microBlock of the tip, refused for its state hash and nothing else
   * @returns a block in the place of the tip with the micro-block; undefined as above
   * @throws PortionSpent as above
   */
  challengeMicroBlock(microBlock: MicroBlock, work?: PortionWork): ForgedChallenge | undefined {
    const { liquid } = this.#facts;
    const { height } = liquid.stored.view;
    return this.#forge(liquid.extended(microBlock), () => ({ height: height - 1, step: WHOLE_BLOCK }), work);
  }

  /** Where it takes too long, or is too long, none is made. */
  #forge(
    challenged: Block,
    findPlace: () => StepPlace | undefined,
    work: PortionWork | undefined,
  ): ForgedChallenge | undefined {
    const key = bytesKey(challenged.id);
    try {
      const place = findPlace();
      const forged = place && this.#forgeAt(challenged, place, work);
      this.#end(key);
      return forged;
    } catch (error) {
      if (error instanceof PortionSpent) throw error;
      this.#end(key);
      if (!(error instanceof ChallengeTooCostly)) throw error;
      this.#facts.tooCostly(error.message);
      return undefined;
    }
  }

  #forgeAt(challenged: Block, place: StepPlace, work: PortionWork | undefined): ForgedChallenge | undefined {
    const { forks, liquid, steps } = this.#facts;
    const { stored } = liquid;
    return steps.whileTakenBack(place, () => {
      forks.expect(challenged.transactions);
      const { height, carryFee } = stored.tip();
      const parent = { carryFee, transactions: () => stored.transactionsAt(height) };
      return this.#challengeOf(challenged)?.goOn(stored.view, parent, work);
    });
  }

  /** @throws ChallengeTooCostly */
  #challengeOf(challenged: Block): ChallengeInTheMaking | undefined {
    const key = bytesKey(challenged.id);
    if (this.#underWay?.key === key) return this.#underWay.challenge;
    const beginnings = (this.#begun.get(key) ?? 0) + 1;
    if (beginnings > MAX_BEGINNINGS) throw new ChallengeTooCostly("others came between its calls again and again");
    const { liquid, accounts, draws, node, random } = this.#facts;
    const { view } = liquid.stored;
    const challenge = beginChallenge({ view, challenged, accounts: accounts(), draws, node, random });
    if (challenge === undefined) return undefined;
    this.#begun.delete(key);
    this.#begun.set(key, beginnings);
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > MAX_IDS && oldest !== undefined) this.#begun.delete(oldest);
    this.#underWay = { key, challenge };
    return challenge;
  }

  #end(key: BytesKey): void {
    this.#begun.delete(key);
    if (this.#underWay?.key === key) this.#underWay = undefined;
  }
}
