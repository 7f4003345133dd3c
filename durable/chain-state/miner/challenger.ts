/**
 * Challenges of others' blocks and micro-blocks with a wrong state hash. One challenge of a block is enough for all
 * nodes: anything else that its generator signs on the same parent comes after the challenge, or cannot be challenged,
 * and is refused before a transaction is run.
 * @source docs/protocol/snapshots-and-state-hash.md 5.2, 5.3; Waves: mining/BlockChallenger.scala
 */
import { type BytesKey, bytesKey } from "../../../src/crypto/bytes.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import type { RandomSource } from "../../../src/crypto/random.ts";
import type { Block, MicroBlock } from "../../../src/protocol/blocks/block.ts";
import { type Committer, WHOLE_BLOCK } from "../chain/committer.ts";
import type { ForkChoice } from "../chain/fork-choice.ts";
import type { LiquidChain } from "../chain/liquid-chain.ts";
import { SliceSpent, type WorkSlice } from "../chain/work-slice.ts";
import type { CommitPosition } from "../state/state-store.ts";
import { ChallengeTooCostly } from "./elided-work.ts";
import { beginChallenge, type ForgedChallenge, type PendingChallenge } from "./forge-challenge.ts";
import type { GeneratorDraws } from "./generator-draw.ts";
import type { OwnVotes } from "./own-header.ts";

export interface ChallengerOptions {
  readonly forks: Pick<ForkChoice, "findPosition" | "prefetch">;
  readonly liquid: Pick<LiquidChain, "extended" | "stored">;
  readonly committer: Pick<Committer, "whileRolledBack">;
  readonly accounts: () => readonly KeyPair[];
  readonly draws: GeneratorDraws;
  readonly node: OwnVotes;
  readonly random: RandomSource;
  /** Receives the reason why a possible challenge was not made. */
  readonly tooCostly: (reason: string) => void;
}

/** Maximum of starts of the same challenge, when others came between its calls. */
const MAX_BEGINNINGS = 3;
/** Maximum of ids of unfinished challenges. */
const MAX_IDS = 100;

export class Challenger {
  readonly #options: ChallengerOptions;
  /** Last challenge that ran: it takes 20 MB if its block is full. */
  #underWay: { readonly key: BytesKey; readonly challenge: PendingChallenge } | undefined;
  /** Number of starts by the id of the challenged block, in the order of the last start. */
  readonly #begun = new Map<BytesKey, number>();

  constructor(options: ChallengerOptions) {
    this.#options = options;
  }

  /**
   * @param block block that was refused for its state hash and nothing else
   * @returns a block in its place; undefined: it cannot be challenged, or not by this node
   * @throws RuleError if the chain has no position for it any more
   * @throws SliceSpent: the same call again continues the challenge
   */
  challengeBlock(block: Block, work?: WorkSlice): ForgedChallenge | undefined {
    // A wrong challenge is not challenged.
    if (block.header.challengedHeader !== undefined) return undefined;
    return this.#forge(block, () => this.#options.forks.findPosition(block), work);
  }

  /**
   * @param microBlock micro-block of the tip, refused for its state hash and nothing else
   * @returns a block that replaces the tip and includes the micro-block; undefined as above
   * @throws SliceSpent as above
   */
  challengeMicroBlock(microBlock: MicroBlock, work?: WorkSlice): ForgedChallenge | undefined {
    const { liquid } = this.#options;
    const { height } = liquid.stored.view;
    return this.#forge(liquid.extended(microBlock), () => ({ height: height - 1, step: WHOLE_BLOCK }), work);
  }

  /** Forges no challenge if it takes too long, or would be too large. */
  #forge(
    challenged: Block,
    findPosition: () => CommitPosition | undefined,
    work: WorkSlice | undefined,
  ): ForgedChallenge | undefined {
    const key = bytesKey(challenged.id);
    try {
      const position = findPosition();
      const forged = position && this.#forgeAt(challenged, position, work);
      this.#end(key);
      return forged;
    } catch (error) {
      if (error instanceof SliceSpent) throw error;
      this.#end(key);
      if (!(error instanceof ChallengeTooCostly)) throw error;
      this.#options.tooCostly(error.message);
      return undefined;
    }
  }

  #forgeAt(challenged: Block, position: CommitPosition, work: WorkSlice | undefined): ForgedChallenge | undefined {
    const { forks, liquid, committer } = this.#options;
    const { stored } = liquid;
    return committer.whileRolledBack(position, () => {
      forks.prefetch(challenged.transactions);
      const { height, carryFee } = stored.tip();
      const parent = { carryFee, transactions: () => stored.transactionsAt(height) };
      return this.#challengeOf(challenged)?.goOn(stored.view, parent, work);
    });
  }

  /** @throws ChallengeTooCostly */
  #challengeOf(challenged: Block): PendingChallenge | undefined {
    const key = bytesKey(challenged.id);
    if (this.#underWay?.key === key) return this.#underWay.challenge;
    const starts = (this.#begun.get(key) ?? 0) + 1;
    if (starts > MAX_BEGINNINGS) throw new ChallengeTooCostly("it was interrupted by others too often");
    const { liquid, accounts, draws, node, random } = this.#options;
    const { view } = liquid.stored;
    const challenge = beginChallenge({ view, challenged, accounts: accounts(), draws, node, random });
    if (challenge === undefined) return undefined;
    this.#begun.delete(key);
    this.#begun.set(key, starts);
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
