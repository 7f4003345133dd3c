/**
 * Endorsements received in one round: at most one valid and one conflicting endorsement of each generator, whatever
 * peers send.
 * @source docs/protocol/consensus-and-finality.md 3.6; Waves 1.6: state/EndorsementStorage.scala
 */
import type { BlsSignature } from "../../crypto/bls.ts";
import type { BlockId, ConflictEndorsement } from "../../protocol/blocks/block.ts";
import { classifyEndorsement, type EndorsementViolation, isSameVoting, type VotingRound } from "./voting-round.ts";

/** Result of adding an endorsement. */
export type EndorsementVerdict =
  | { readonly kind: "refused"; readonly violation: EndorsementViolation | "noRound" | "signatureWrong" }
  /** Nothing new. */
  | { readonly kind: "ignored" }
  | { readonly kind: "valid" | "conflict" };

export interface EndorsementChecks {
  /** Whether the chain has the block at the height. */
  readonly isOurBlock: (id: BlockId, height: number) => boolean;
  /** Called last, and at most once for an endorsement. */
  readonly isSigned: (endorsement: ConflictEndorsement, publicKey: Uint8Array) => boolean;
}

export class EndorsementPool {
  #round: VotingRound | undefined;
  readonly #valid = new Map<number, BlsSignature>();
  readonly #conflicts = new Map<number, ConflictEndorsement>();

  /** Current round. */
  get round(): VotingRound | undefined {
    return this.#round;
  }

  /** Valid signatures, by the index of their endorsers. */
  get valid(): ReadonlyMap<number, BlsSignature> {
    return this.#valid;
  }

  /** Endorsements that contradict the chain, by the index of their endorsers. */
  get conflicts(): ReadonlyMap<number, ConflictEndorsement> {
    return this.#conflicts;
  }

  /** Begins a round, or ends the current one. Discards the endorsements, unless the voting is the same. */
  begin(round: VotingRound | undefined): void {
    if (!isSameVoting(this.#round, round)) {
      this.#valid.clear();
      this.#conflicts.clear();
    }
    this.#round = round;
  }

  /** Adds an endorsement if it is new. */
  add(endorsement: ConflictEndorsement, { isOurBlock, isSigned }: EndorsementChecks): EndorsementVerdict {
    const round = this.#round;
    if (round === undefined) return { kind: "refused", violation: "noRound" };
    const classification = classifyEndorsement(round, endorsement);
    if (classification.kind === "refused") return classification;
    const { endorserIndex: index, finalizedBlockId, finalizedHeight } = endorsement;
    if (classification.kind === "beside" || this.#conflicts.has(index)) return { kind: "ignored" };
    if (classification.kind === "valid" && this.#valid.has(index)) return { kind: "ignored" };
    if (classification.kind === "older" && isOurBlock(finalizedBlockId, finalizedHeight)) return { kind: "ignored" };
    if (!isSigned(endorsement, classification.publicKey)) return { kind: "refused", violation: "signatureWrong" };
    if (classification.kind === "valid") {
      this.#valid.set(index, endorsement.signature as BlsSignature);
      return { kind: "valid" };
    }
    this.#conflicts.set(index, endorsement);
    this.#valid.delete(index);
    return { kind: "conflict" };
  }
}
