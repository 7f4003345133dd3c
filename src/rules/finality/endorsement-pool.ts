/**
 * Endorsements that were heard in one round: at most one that counts and one that contradicts of each generator, whatever is sent.
 * @source docs/protocol/consensus-and-finality.md 3.6; Waves 1.6: state/EndorsementStorage.scala
 */
import type { BlsSignature } from "../../crypto/bls.ts";
import type { BlockId, ConflictEndorsement } from "../../protocol/blocks/block.ts";
import { type EndorsementFault, isSameVoting, meaningOf, type VotingRound } from "./voting-round.ts";

/** What became of an endorsement. */
export type EndorsementVerdict =
  | { readonly kind: "refused"; readonly fault: EndorsementFault | "noRound" | "signatureWrong" }
  /** It is nothing new. */
  | { readonly kind: "ignored" }
  | { readonly kind: "valid" | "conflict" };

export interface EndorsementChecks {
  /** Whether the chain has the block at the height. */
  readonly isOurBlock: (id: BlockId, height: number) => boolean;
  /** Asked last, and once for an endorsement at most. */
  readonly isSigned: (endorsement: ConflictEndorsement, publicKey: Uint8Array) => boolean;
}

export class EndorsementPool {
  #round: VotingRound | undefined;
  readonly #valid = new Map<number, BlsSignature>();
  readonly #conflicts = new Map<number, ConflictEndorsement>();

  /** The round in which endorsements count now. */
  get round(): VotingRound | undefined {
    return this.#round;
  }

  /** Signatures that count, by the index of their endorsers. */
  get valid(): ReadonlyMap<number, BlsSignature> {
    return this.#valid;
  }

  /** Endorsements by which endorsers contradict the chain, by index. */
  get conflicts(): ReadonlyMap<number, ConflictEndorsement> {
    return this.#conflicts;
  }

  /** Begins a round, or ends all. What was heard is forgotten, unless the same is voted on. */
  begin(round: VotingRound | undefined): void {
    if (!isSameVoting(this.#round, round)) {
      this.#valid.clear();
      this.#conflicts.clear();
    }
    this.#round = round;
  }

  /** Takes an endorsement in, if it is something new. */
  add(endorsement: ConflictEndorsement, { isOurBlock, isSigned }: EndorsementChecks): EndorsementVerdict {
    const round = this.#round;
    if (round === undefined) return { kind: "refused", fault: "noRound" };
    const meaning = meaningOf(round, endorsement);
    if (meaning.kind === "refused") return meaning;
    const { endorserIndex: index, finalizedBlockId, finalizedHeight } = endorsement;
    if (meaning.kind === "beside" || this.#conflicts.has(index)) return { kind: "ignored" };
    if (meaning.kind === "valid" && this.#valid.has(index)) return { kind: "ignored" };
    if (meaning.kind === "older" && isOurBlock(finalizedBlockId, finalizedHeight)) return { kind: "ignored" };
    if (!isSigned(endorsement, meaning.publicKey)) return { kind: "refused", fault: "signatureWrong" };
    if (meaning.kind === "valid") {
      this.#valid.set(index, endorsement.signature as BlsSignature);
      return { kind: "valid" };
    }
    this.#conflicts.set(index, endorsement);
    this.#valid.delete(index);
    return { kind: "conflict" };
  }
}
