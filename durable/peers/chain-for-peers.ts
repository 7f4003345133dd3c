/**
 * What the peers' side and the chain's side ask of each other. On Cloudflare two objects stand behind it, which call each other:
 * everything travels as bytes and plain values.
 */
import type { OfferAnswer, PoolOffer } from "../../src/env.ts";
import type { VotingRound } from "../../src/rules/finality/voting-round.ts";

/** Where the chain stands. */
export interface ChainStanding {
  readonly height: number;
  /** Sum of the weights of all blocks. */
  readonly score: bigint;
  /** Of the tip: total id of the liquid block. */
  readonly tipId: Uint8Array;
  /** Of the tip, ms since the epoch. */
  readonly tipTimestampMs: number;
}

/** Blocks in their order, and what was found of their signatures where that costs the chain nothing. */
export interface OfferedBlocks {
  /** As in a block file: each behind its length. */
  readonly blocks: Uint8Array;
  /** Which signatures were verified (`encodeFlags`). */
  readonly verified: string;
  /**
   * Of a light node: what the transactions do, as in a snapshot file, a record for each block. An empty one: they are run, as where
   * there are no snapshots at all.
   */
  readonly snapshots?: Uint8Array;
}

/** What became of something that a peer has sent. */
export type Judgement =
  | { readonly kind: "applied"; readonly standing: ChainStanding }
  /** Nothing new. */
  | { readonly kind: "known" }
  /**
   * `isInvalid`: it breaks a rule and always will: whoever sends it is shut out; otherwise it does not fit at the moment.
   * `blockId`: which block of several it was. `isLighter`: the blocks weigh no more than those in their place. `isOfSnapshots`: it may
   * well be right, but not with the snapshots that came with it: whoever has sent these is shut out.
   */
  | {
      readonly kind: "refused";
      /** A sentence. */
      readonly reason: string;
      readonly isInvalid: boolean;
      readonly blockId?: Uint8Array;
      readonly isLighter?: true;
      readonly isOfSnapshots?: true;
    };

/** There is more to judge than one call may take: the same call again goes on with it. */
export type Unfinished = "unfinished";

/** What the peers' side asks of the chain. */
export interface ChainForPeers {
  standing(): Promise<ChainStanding>;
  /** Ids of the last blocks, the newest first, total id of the liquid block included. */
  lastBlockIds(count: number): Promise<Uint8Array[]>;
  /**
   * The first of these ids that the chain has, and ids of the blocks behind it, upwards, at most so many.
   * @returns none where it has none of them
   */
  blockIdsAfter(ids: readonly Uint8Array[], count: number): Promise<Uint8Array[]>;
  /** Bytes of a block of the chain: legacy below version 5, protobuf from there on. The liquid one by its total id. */
  findBlock(id: Uint8Array): Promise<Uint8Array | undefined>;
  /** Payload of the message `blockSnapshot`; undefined also where change sets are not kept. */
  findBlockSnapshot(id: Uint8Array): Promise<Uint8Array | undefined>;
  /** Payload of the message `microBlockSnapshot`, of a micro-block of the tip. */
  findMicroBlockSnapshot(totalId: Uint8Array): Promise<Uint8Array | undefined>;
  /** A block that was sent by itself. */
  applyBlock(block: OfferedBlocks): Promise<Judgement | Unfinished>;
  /**
   * Puts blocks on the tip, or in the place of a part of the chain that weighs less: all of them or none. What is too much for
   * one call comes in parts, the last of them with `isLast`; a part with another name begins anew.
   * @param name of the extension to which the part belongs
   */
  applyExtension(
    part: OfferedBlocks & { readonly name: string; readonly isLast: boolean },
  ): Promise<Judgement | "more" | Unfinished>;
  /**
   * @param microBlock payload of the message `microBlock`
   * @param snapshots of a light node: what its transactions do, a record of a snapshot file; without it they are run
   */
  applyMicroBlock(microBlock: Uint8Array, snapshots?: Uint8Array): Promise<Judgement | Unfinished>;
  /** As `PoolRpc.broadcastAll`; nobody is told of these as of new ones (`ChainNews`). */
  offerTransactions(offers: PoolOffer[]): Promise<OfferAnswer[]>;
  /** What generators are asked to endorse; undefined: nothing. */
  votingRound(): Promise<VotingRound | undefined>;
  /** @returns of each whether other nodes are to have it, too */
  applyEndorsements(endorsements: readonly VerifiedEndorsement[]): Promise<boolean[]>;
  /** With how many nodes there is a connection: the miner waits for enough of them. */
  connected(peers: number): Promise<void>;
}

/** An endorsement whose signature was verified where that costs the chain nothing. */
export interface VerifiedEndorsement {
  /** Payload of the message `endorsement`. */
  readonly endorsement: Uint8Array;
  /** Key of the endorser, as the round had it. */
  readonly verifiedBy: Uint8Array;
}

/** A new block begins a round of endorsements. */
export interface RoundNews {
  /** Undefined: nothing is voted on. */
  readonly round: VotingRound | undefined;
  /** Those that this node has made: payloads of the message `endorsement`. */
  readonly endorsements: readonly Uint8Array[];
}

/** What has happened on the chain by itself, not by what peers have sent. */
export interface ChainNews {
  readonly standing: ChainStanding;
  /** A key block of this node, as `ChainForPeers.findBlock` gives it. */
  readonly block?: Uint8Array;
  /** A micro-block of this node: payloads of the messages `microBlockInv` and `microBlock`. */
  readonly microBlock?: { readonly inv: Uint8Array; readonly totalId: Uint8Array; readonly microBlock: Uint8Array };
  /** Transactions that clients have sent, perhaps once more, and that wait in the pool: protobuf `SignedTransaction`. */
  readonly transactions?: readonly Uint8Array[];
  /** What is voted on from now on. */
  readonly voting?: RoundNews;
}

/** What the chain's side tells the peers' side. */
export interface ChainListener {
  /** Never rejects: what peers are told has no part in what the chain does. */
  told(news: ChainNews): Promise<void>;
}
