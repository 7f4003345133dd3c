/**
 * Endorsements on the chain's side: begins a round with each new tip, endorses its parent by the wallet's accounts, takes in what
 * others endorse, and says what the next micro-block of this node carries. Nothing of it is stored: a node that starts anew endorses
 * the tip's parent again, which is the same endorsement, and what others had said by then is asked of nobody, as the next block
 * begins a new round.
 * @source docs/protocol/consensus-and-finality.md 3.5, 3.6; Waves 1.6: state/BlockEndorser.scala
 */

import { encodeBase58 } from "../../src/crypto/base58.ts";
import { type BlsSignature, blsSign, blsVerify, prepareBlsSignature } from "../../src/crypto/bls.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { KeyPair } from "../../src/crypto/identities.ts";
import type { NodeSettings } from "../../src/network/settings.ts";
import type { BlockHeader, BlockId, ConflictEndorsement, FinalizationVoting } from "../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../src/protocol/blocks/finalization-voting.ts";
import { chooseVoting } from "../../src/rules/finality/choose-voting.ts";
import { EndorsementPool, type EndorsementVerdict } from "../../src/rules/finality/endorsement-pool.ts";
import { type VotingRound, votingRoundOf } from "../../src/rules/finality/voting-round.ts";
import type { LiquidChain } from "../chain/liquid-chain.ts";
import { log, logFault } from "../log.ts";
import { isChainTooOld } from "../miner/mining-schedule.ts";
import { endorserKeysOf } from "../wallet/endorser-keys.ts";

/** What other nodes are to know of a round. */
export interface BegunRound {
  /** Undefined: nothing is voted on. */
  readonly round: VotingRound | undefined;
  /** Of this node's accounts; none where the block is this node's, too: then nobody else has to know. */
  readonly endorsements: readonly ConflictEndorsement[];
}

export interface EndorserFacts {
  readonly liquid: Pick<LiquidChain, "view" | "stored" | "generators" | "block">;
  readonly accounts: () => readonly KeyPair[];
  readonly node: Pick<NodeSettings, "miner">;
  readonly nowMs: () => number;
  readonly tell: (begun: BegunRound) => void;
}

/** An endorsement of others. */
export interface OfferedEndorsement {
  readonly endorsement: ConflictEndorsement;
  /** With which key its signature was verified beside the chain; undefined: it was not. */
  readonly verifiedBy?: Uint8Array | undefined;
}

export class Endorser {
  readonly #facts: EndorserFacts;
  readonly #pool = new EndorsementPool();
  /** Of the tip whose round is the current one. */
  #begun: Pick<BlockHeader, "reference" | "generator"> | undefined;
  /** Own accounts that have committed with keys that are not theirs: they are told of once. */
  readonly #foreignKeys = new Set<string>();

  constructor(facts: EndorserFacts) {
    this.#facts = facts;
  }

  /** What is voted on; undefined: nothing. */
  get round(): VotingRound | undefined {
    return this.#pool.round;
  }

  /** To be called when the chain has changed: a new key block begins a round, a micro-block does not. */
  follow(): void {
    const { view } = this.#facts.liquid;
    const tip = view.findHeader(view.height)?.header;
    const begun = this.#begun;
    if (tip !== undefined && begun !== undefined && isSameTip(tip, begun)) return;
    this.#begun = tip;
    const before = this.#pool.round;
    try {
      const round = tip && this.#roundOf(tip);
      this.#pool.begin(round);
      if (round === undefined && before === undefined) return;
      const endorsements = tip === undefined || round === undefined ? [] : this.#endorse(round, tip);
      this.#facts.tell({ round, endorsements });
    } catch (error) {
      // The chain has the block, whatever is not to be had for a voting on it.
      this.#pool.begin(undefined);
      logFault("nothing is endorsed on the new block", error);
    }
  }

  /** To be called when the chain has become another one. */
  forget(): void {
    this.#begun = undefined;
    this.#pool.begin(undefined);
  }

  /** @returns what became of it, and whether others are to have it: a generator keeps what is for its own block */
  take({ endorsement, verifiedBy }: OfferedEndorsement): EndorsementVerdict & { readonly isPassedOn: boolean } {
    const verdict = this.#pool.add(endorsement, {
      isOurBlock: (id, height) => this.#hasBlock(id, height),
      isSigned: (offered, publicKey) =>
        verifiedBy !== undefined && equalBytes(verifiedBy, publicKey)
          ? true
          : blsVerify(publicKey, endorsementSignedBytes(offered), offered.signature),
    });
    const isNew = verdict.kind === "valid" || verdict.kind === "conflict";
    const isOwn = this.#isOwnTip();
    // PERF: now a few milliseconds for each, or half a second for a hundred when a micro-block is made of them.
    if (isOwn && verdict.kind === "valid") prepareBlsSignature(endorsement.signature as BlsSignature);
    return { ...verdict, isPassedOn: isNew && !isOwn };
  }

  /** Of the next micro-block of this node, which has generated the tip. */
  voting(): FinalizationVoting | undefined {
    const { liquid } = this.#facts;
    if (this.#pool.round === undefined) return undefined;
    return chooseVoting({
      pool: this.#pool,
      generators: liquid.generators(),
      voting: liquid.block().block.header.finalizationVoting,
      maxEndorsers: liquid.view.settings.functionality.maxValidEndorsements,
    });
  }

  #roundOf(tip: BlockHeader): VotingRound | undefined {
    const { liquid } = this.#facts;
    // Where it stands in the place of another one, nothing extends it, and no vote has a way into the chain.
    if (tip.challengedHeader !== undefined && this.#isOwn(tip)) return undefined;
    return votingRoundOf(liquid.view, liquid.generators(), liquid.stored.votedHeight());
  }

  /** Endorses by each account of the wallet that has a vote and has not used it. @returns what others are to have */
  #endorse(round: VotingRound, tip: BlockHeader): readonly ConflictEndorsement[] {
    const { liquid, accounts, node, nowMs } = this.#facts;
    const { view } = liquid;
    // A node that is far behind knows too little of the chain to say what is final.
    if (isChainTooOld(view, node.miner, nowMs())) return [];
    const { committed } = liquid.generators();
    const made: ConflictEndorsement[] = [];
    for (const { publicKey, privateKey } of accounts()) {
      const commitment = committed.find((member) => equalBytes(member.publicKey, publicKey));
      if (commitment === undefined) continue;
      const { index: endorserIndex } = commitment;
      const hasVote = endorserIndex !== round.generator && round.endorserKeys[endorserIndex] !== undefined;
      if (!hasVote || this.#pool.valid.has(endorserIndex) || this.#pool.conflicts.has(endorserIndex)) continue;
      const keys = endorserKeysOf(privateKey);
      if (!equalBytes(keys.publicKey, commitment.endorserPublicKey)) {
        this.#tellOfForeignKey(publicKey);
        continue;
      }
      const { finalizedHeight, finalizedBlockId, endorsedBlockId } = round;
      const said = { finalizedHeight, finalizedBlockId, endorsedBlockId };
      const signature = blsSign(keys.secretKey, endorsementSignedBytes(said));
      const endorsement: ConflictEndorsement = { ...said, endorserIndex, signature };
      this.take({ endorsement, verifiedBy: keys.publicKey });
      made.push(endorsement);
    }
    return this.#isOwn(tip) ? [] : made;
  }

  #tellOfForeignKey(publicKey: Uint8Array): void {
    const account = encodeBase58(publicKey);
    if (this.#foreignKeys.has(account)) return;
    this.#foreignKeys.add(account);
    log(`the account with public key ${account} endorses nothing: it has committed with a BLS key that is not its own`);
  }

  #hasBlock(id: BlockId, height: number): boolean {
    const ours = this.#facts.liquid.view.findHeader(height)?.id;
    // A node that began with a checkpoint has no blocks below it: nobody is accused of what it cannot tell.
    return ours === undefined || equalBytes(ours, id);
  }

  #isOwnTip(): boolean {
    const { view } = this.#facts.liquid;
    const tip = view.findHeader(view.height)?.header;
    return tip !== undefined && this.#isOwn(tip);
  }

  #isOwn({ generator }: Pick<BlockHeader, "generator">): boolean {
    return this.#facts.accounts().some(({ publicKey }) => equalBytes(publicKey, generator));
  }
}

function isSameTip(
  one: Pick<BlockHeader, "reference" | "generator">,
  other: Pick<BlockHeader, "reference" | "generator">,
): boolean {
  return equalBytes(one.reference, other.reference) && equalBytes(one.generator, other.generator);
}
