/**
 * Contract between the peers' side and the chain's side. On Cloudflare these are two objects that call each other, so
 * everything travels as bytes and plain values.
 */
import type { PoolSubmission, SubmissionResult } from "../env.ts";
import type { VotingRound } from "../rules/finality/voting-round.ts";

/** Tip of the chain. */
export interface ChainTip {
  readonly height: number;
  /** Sum of the weights of all blocks. */
  readonly score: bigint;
  /** Total id of the liquid block. */
  readonly tipId: Uint8Array;
  /** Timestamp of the tip, ms since the epoch. */
  readonly tipTimestampMs: number;
}

/** Blocks in order, with the signatures that were verified already, which spares the chain's side the work. */
export interface ReceivedBlocks {
  /** Blocks in the format of a block file, each after its length. */
  readonly blocks: Uint8Array;
  /** Flags of the verified signatures (`encodeFlags`). */
  readonly verified: string;
  /**
   * State snapshots of the blocks on a light node: a record of a snapshot file for each block. The transactions of a
   * block with an empty record are run, as they all are without snapshots.
   */
  readonly snapshots?: Uint8Array;
}

/** Result of applying data from a peer. */
export type ValidationResult =
  | { readonly kind: "applied"; readonly tip: ChainTip }
  /** The data brings nothing new. */
  | { readonly kind: "known" }
  /**
   * - `isInvalid`: the data breaks a rule and always will, so its sender is blacklisted; otherwise it does not fit at
   *   the moment.
   * - `blockId`: the refused block of several.
   * - `isLighter`: the blocks weigh no more than those that they would replace.
   * - `isOfSnapshots`: the block may be valid, but its snapshots are not: the sender of the snapshots is blacklisted.
   */
  | {
      readonly kind: "refused";
      /** Message for the log. */
      readonly reason: string;
      readonly isInvalid: boolean;
      readonly blockId?: Uint8Array;
      readonly isLighter?: true;
      readonly isOfSnapshots?: true;
    };

/** The work exceeds one call: the same call again continues it. */
export type Unfinished = "unfinished";

/** Requests to the chain's side. */
export interface ChainForPeers {
  chainTip(): Promise<ChainTip>;
  /** Ids of the last blocks, newest first, including the total id of the liquid block. */
  lastBlockIds(count: number): Promise<Uint8Array[]>;
  /**
   * The first of these ids that the chain has, then ids of the blocks after it, upwards, `count` at most.
   * @returns an empty list if the chain has none of the ids
   */
  blockIdsAfter(ids: readonly Uint8Array[], count: number): Promise<Uint8Array[]>;
  /**
   * Bytes of a block of the chain: legacy below version 5, protobuf from there on. The liquid block is found by its
   * total id.
   */
  findBlock(id: Uint8Array): Promise<Uint8Array | undefined>;
  /** Payload of the message `blockSnapshot`; undefined also if state snapshots are not stored. */
  findBlockSnapshot(id: Uint8Array): Promise<Uint8Array | undefined>;
  /** Payload of the message `microBlockSnapshot` for a micro-block of the tip. */
  findMicroBlockSnapshot(totalId: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Validates the header of a block that was sent by itself. Its transactions play no part.
   * @param head protobuf of the block without transactions, which its generator has signed
   * @returns the error, a sentence; undefined: the block may be valid
   */
  findHeaderError(head: Uint8Array): Promise<string | undefined>;
  /** Applies a block that was sent by itself. */
  applyBlock(block: ReceivedBlocks): Promise<ValidationResult | Unfinished>;
  /**
   * Appends blocks to the tip, or replaces a lighter part of the chain: all of the blocks or none. An extension too
   * large for one call comes in chunks, the last with `isLast`; a chunk with another name starts a new extension.
   * @param name name of the extension to which the chunk belongs
   */
  applyExtension(
    part: ReceivedBlocks & { readonly name: string; readonly isLast: boolean },
  ): Promise<ValidationResult | "more" | Unfinished>;
  /**
   * @param microBlock payload of the message `microBlock`
   * @param snapshots state snapshots on a light node, a record of a snapshot file; without it the transactions are run
   */
  applyMicroBlock(microBlock: Uint8Array, snapshots?: Uint8Array): Promise<ValidationResult | Unfinished>;
  /** Like `PoolRpc.broadcastAll`, without an event for the transactions (`ChainEvents`). */
  submitTransactions(offers: PoolSubmission[]): Promise<SubmissionResult[]>;
  /** Block to be endorsed at the moment; undefined: none. */
  votingRound(): Promise<VotingRound | undefined>;
  /** @returns for each endorsement, whether to relay it to other nodes */
  applyEndorsements(endorsements: readonly VerifiedEndorsement[]): Promise<boolean[]>;
  /** Reports the number of connected nodes: the miner waits for enough of them. */
  connected(peers: number): Promise<void>;
}

/** Endorsement with a verified signature, which spares the chain's side the work. */
export interface VerifiedEndorsement {
  /** Payload of the message `endorsement`. */
  readonly endorsement: Uint8Array;
  /** Endorser's key in the round. */
  readonly verifiedBy: Uint8Array;
}

/** Event of a new block, which starts a round of endorsements. */
export interface RoundStartEvent {
  /** Undefined: no round. */
  readonly round: VotingRound | undefined;
  /** Endorsements by this node: payloads of the message `endorsement`. */
  readonly endorsements: readonly Uint8Array[];
}

/** Events on the chain that do not come from peers. */
export interface ChainEvents {
  readonly tip: ChainTip;
  /** Key block of this node, in the form of `ChainForPeers.findBlock`. */
  readonly block?: Uint8Array;
  /** Micro-block of this node: payloads of the messages `microBlockInv` and `microBlock`. */
  readonly microBlock?: { readonly inv: Uint8Array; readonly totalId: Uint8Array; readonly microBlock: Uint8Array };
  /** Transactions from clients, possibly sent before, that wait in the pool: protobuf `SignedTransaction`. */
  readonly transactions?: readonly Uint8Array[];
  /** Round from now on. */
  readonly voting?: RoundStartEvent;
}

/** Receiver of the chain's events on the peers' side. */
export interface ChainListener {
  /** Never rejects: the chain does not depend on its peers' side. */
  onChainEvents(news: ChainEvents): Promise<void>;
}
