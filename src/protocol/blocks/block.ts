/**
 * Blocks and micro-blocks as values. Other files of this directory define their bytes.
 * @source docs/protocol/consensus-and-finality.md 1.6, 1.8; docs/protocol/snapshots-and-state-hash.md 5.2
 */
import type { Digest, PublicKey, Signature } from "../../crypto/identities.ts";
import type { Transaction } from "../transactions/transaction.ts";

/** 64-byte signature for versions 1 to 4, 32-byte hash of the header for version 5. */
export type BlockId = Uint8Array & { readonly __brand: "BlockId" };

export interface ConflictEndorsement {
  readonly endorserIndex: number;
  readonly finalizedBlockId: BlockId;
  readonly finalizedHeight: number;
  readonly endorsedBlockId: BlockId;
  readonly signature: Uint8Array;
}
/** Feature 25: endorsements that a block carries. */
export interface FinalizationVoting {
  readonly endorserIndexes: readonly number[];
  readonly finalizedHeight: number;
  /** 96 bytes; undefined when no endorser is listed. */
  readonly aggregatedEndorsementSignature: Uint8Array | undefined;
  readonly conflictEndorsements: readonly ConflictEndorsement[];
}

/** Feature 22: fields of the replaced block that a challenging block stores. */
export interface ChallengedHeader {
  readonly timestamp: bigint;
  readonly baseTarget: bigint;
  readonly generationSignature: Uint8Array;
  readonly featureVotes: readonly number[];
  readonly generator: PublicKey;
  readonly rewardVote: bigint;
  readonly stateHash: Digest | undefined;
  readonly headerSignature: Signature;
  readonly finalizationVoting: FinalizationVoting | undefined;
}

export interface BlockHeader {
  readonly version: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: bigint;
  readonly reference: BlockId;
  readonly baseTarget: bigint;
  /** 32 bytes; from version 5 on the 96-byte VRF proof. */
  readonly generationSignature: Uint8Array;
  readonly generator: PublicKey;
  /** From version 3 on. */
  readonly featureVotes: readonly number[];
  /** Wavelets; -1: no vote (always before version 4). */
  readonly rewardVote: bigint;
  /** Version 5. */
  readonly transactionsRoot: Digest | undefined;
  readonly stateHash: Digest | undefined;
  readonly challengedHeader: ChallengedHeader | undefined;
  readonly finalizationVoting: FinalizationVoting | undefined;
}

/** A header with its signature and id: the block without its transactions. */
export interface SignedHeader {
  readonly header: BlockHeader;
  readonly signature: Signature;
  readonly id: BlockId;
}

export interface Block extends SignedHeader {
  readonly transactions: readonly Transaction[];
}

/** A block whose transactions are not parsed. */
export interface SplitBlock {
  readonly head: SignedHeader;
  /** Bytes as in the block: legacy binary below version 5, protobuf from version 5 on. */
  readonly transactions: readonly Uint8Array[];
}

/** Extends the liquid block of its sender (NG). */
export interface MicroBlock {
  readonly version: number;
  /** Total block id of the liquid block that it extends. */
  readonly reference: BlockId;
  /** Signature of the accumulated block's header. */
  readonly totalBlockSignature: Signature;
  readonly sender: PublicKey;
  readonly transactions: readonly Transaction[];
  readonly stateHash: Digest | undefined;
  readonly finalizationVoting: FinalizationVoting | undefined;
  readonly signature: Signature;
  /** Id of the accumulated block. */
  readonly totalBlockId: BlockId;
}
