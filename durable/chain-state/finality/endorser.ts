/**
 * Endorsements on the chain's side: starts a round with each new tip, endorses its parent with the wallet's accounts,
 * collects other generators' endorsements, and provides the voting for the next micro-block of this node. Nothing is
 * stored: after a restart the node endorses the tip's parent again, which gives the same endorsement. Earlier
 * endorsements of others are not requested again, since the next block starts a new round.
 * @source docs/protocol/consensus-and-finality.md 3.5, 3.6; Waves 1.6: state/BlockEndorser.scala
 */

import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type BlsSignature, blsSign, blsVerify, prepareBlsSignature } from "../../../src/crypto/bls.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import type { NodeSettings } from "../../../src/network/settings.ts";
import type {
  BlockHeader,
  BlockId,
  ConflictEndorsement,
  FinalizationVoting,
} from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { chooseVoting } from "../../../src/rules/finality/choose-voting.ts";
import { EndorsementPool, type EndorsementVerdict } from "../../../src/rules/finality/endorsement-pool.ts";
import { type VotingRound, votingRoundOf } from "../../../src/rules/finality/voting-round.ts";
import { log, logError } from "../../log.ts";
import type { LiquidChain } from "../chain/liquid-chain.ts";
import { isChainTooOld } from "../miner/mining-schedule.ts";
import { endorserKeysOf } from "../wallet/endorser-keys.ts";

/** Start of a round, for the other nodes. */
export interface RoundStart {
  /** Undefined: no round. */
  readonly round: VotingRound | undefined;
  /** Endorsements by this node's accounts; empty if the block is this node's own, since no other node needs them. */
  readonly endorsements: readonly ConflictEndorsement[];
}

export interface EndorserOptions {
  readonly liquid: Pick<LiquidChain, "view" | "stored" | "generators" | "block">;
  readonly accounts: () => readonly KeyPair[];
  readonly node: Pick<NodeSettings, "miner">;
  readonly nowMs: () => number;
  readonly onRoundStart: (start: RoundStart) => void;
}

/** Endorsement of another generator. */
export interface ReceivedEndorsement {
  readonly endorsement: ConflictEndorsement;
  /** Key with which the signature was verified outside the chain; undefined: not verified. */
  readonly verifiedBy?: Uint8Array | undefined;
}

export class Endorser {
  readonly #options: EndorserOptions;
  readonly #pool = new EndorsementPool();
  /** Tip of the current round. */
  #begun: Pick<BlockHeader, "reference" | "generator"> | undefined;
  /** Own accounts that have committed with foreign BLS keys; each is logged once. */
  readonly #foreignKeys = new Set<string>();

  constructor(options: EndorserOptions) {
    this.#options = options;
  }

  /** Current round; undefined: none. */
  get round(): VotingRound | undefined {
    return this.#pool.round;
  }

  /** To be called when the chain has changed: a new key block starts a round, a micro-block does not. */
  follow(): void {
    const { view } = this.#options.liquid;
    const tip = view.findHeader(view.height)?.header;
    const current = this.#begun;
    if (tip !== undefined && current !== undefined && isSameTip(tip, current)) return;
    this.#begun = tip;
    const before = this.#pool.round;
    try {
      const round = tip && this.#roundOf(tip);
      this.#pool.begin(round);
      if (round === undefined && before === undefined) return;
      const endorsements = tip === undefined || round === undefined ? [] : this.#endorse(round, tip);
      this.#options.onRoundStart({ round, endorsements });
    } catch (error) {
      // The block is on the chain, even if its voting fails.
      this.#pool.begin(undefined);
      logError("the new block's round failed to start", error);
    }
  }

  /** To be called after the chain was replaced. */
  forget(): void {
    this.#begun = undefined;
    this.#pool.begin(undefined);
  }

  /** @returns verdict, and whether to relay the endorsement: a generator keeps those for its own block */
  receive({ endorsement, verifiedBy }: ReceivedEndorsement): EndorsementVerdict & { readonly isPassedOn: boolean } {
    const verdict = this.#pool.add(endorsement, {
      isOurBlock: (id, height) => this.#hasBlock(id, height),
      isSigned: (received, publicKey) =>
        verifiedBy !== undefined && equalBytes(verifiedBy, publicKey)
          ? true
          : blsVerify(publicKey, endorsementSignedBytes(received), received.signature),
    });
    const isNew = verdict.kind === "valid" || verdict.kind === "conflict";
    const isOwn = this.#isOwnTip();
    // PERF: a few milliseconds now for each, instead of half a second for a hundred when a micro-block is forged.
    if (isOwn && verdict.kind === "valid") prepareBlsSignature(endorsement.signature as BlsSignature);
    return { ...verdict, isPassedOn: isNew && !isOwn };
  }

  /** Voting for the next micro-block of this node, which has generated the tip. */
  voting(): FinalizationVoting | undefined {
    const { liquid } = this.#options;
    if (this.#pool.round === undefined) return undefined;
    return chooseVoting({
      pool: this.#pool,
      generators: liquid.generators(),
      voting: liquid.block().block.header.finalizationVoting,
      maxEndorsers: liquid.view.settings.functionality.maxValidEndorsements,
    });
  }

  #roundOf(tip: BlockHeader): VotingRound | undefined {
    const { liquid } = this.#options;
    // A challenging block is never extended, so no vote could reach the chain.
    if (tip.challengedHeader !== undefined && this.#isOwn(tip)) return undefined;
    return votingRoundOf(liquid.view, liquid.generators(), liquid.stored.votedHeight());
  }

  /** Endorses with each account of the wallet that has an unused vote. @returns endorsements for other nodes */
  #endorse(round: VotingRound, tip: BlockHeader): readonly ConflictEndorsement[] {
    const { liquid, accounts, node, nowMs } = this.#options;
    const { view } = liquid;
    // A node that is far behind knows too little of the chain to endorse a final block.
    if (isChainTooOld(view, node.miner, nowMs())) return [];
    const { committed } = liquid.generators();
    const endorsements: ConflictEndorsement[] = [];
    for (const { publicKey, privateKey } of accounts()) {
      const commitment = committed.find((member) => equalBytes(member.publicKey, publicKey));
      if (commitment === undefined) continue;
      const { index: endorserIndex } = commitment;
      const hasVote = endorserIndex !== round.generator && round.endorserKeys[endorserIndex] !== undefined;
      if (!hasVote || this.#pool.valid.has(endorserIndex) || this.#pool.conflicts.has(endorserIndex)) continue;
      const keys = endorserKeysOf(privateKey);
      if (!equalBytes(keys.publicKey, commitment.endorserPublicKey)) {
        this.#warnOfForeignKey(publicKey);
        continue;
      }
      const { finalizedHeight, finalizedBlockId, endorsedBlockId } = round;
      const voted = { finalizedHeight, finalizedBlockId, endorsedBlockId };
      const signature = blsSign(keys.secretKey, endorsementSignedBytes(voted));
      const endorsement: ConflictEndorsement = { ...voted, endorserIndex, signature };
      this.receive({ endorsement, verifiedBy: keys.publicKey });
      endorsements.push(endorsement);
    }
    return this.#isOwn(tip) ? [] : endorsements;
  }

  #warnOfForeignKey(publicKey: Uint8Array): void {
    const account = encodeBase58(publicKey);
    if (this.#foreignKeys.has(account)) return;
    this.#foreignKeys.add(account);
    log(`the account with public key ${account} endorses nothing: it has committed with a BLS key that is not its own`);
  }

  #hasBlock(id: BlockId, height: number): boolean {
    const known = this.#options.liquid.view.findHeader(height)?.id;
    // A node that started from a checkpoint has no blocks below it, and cannot tell: it counts the block as matching.
    return known === undefined || equalBytes(known, id);
  }

  #isOwnTip(): boolean {
    const { view } = this.#options.liquid;
    const tip = view.findHeader(view.height)?.header;
    return tip !== undefined && this.#isOwn(tip);
  }

  #isOwn({ generator }: Pick<BlockHeader, "generator">): boolean {
    return this.#options.accounts().some(({ publicKey }) => equalBytes(publicKey, generator));
  }
}

function isSameTip(
  one: Pick<BlockHeader, "reference" | "generator">,
  other: Pick<BlockHeader, "reference" | "generator">,
): boolean {
  return equalBytes(one.reference, other.reference) && equalBytes(one.generator, other.generator);
}
