/** Received blocks as a branch: they are parsed on iteration and released as it goes on. */
import type { Block, SignedHeader, SplitBlock } from "../../../src/protocol/blocks/block.ts";
import { BlockFileReader, type BlockRecord, snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { parseSplitBlock, splitBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { fromPeers } from "../../../src/rules/blocks/from-peers.ts";
import { FlagReader } from "../../../src/rules/blocks/verified-signatures.ts";
import { appendContextOf, type SharedAppendContext, withSnapshots } from "./append-context.ts";
import type { Branch, BranchBlock } from "./branch.ts";
import type { ForkChoice } from "./fork-choice.ts";

/** Whole records of a block file, with the flags of their verified signatures (`encodeFlags`). */
export interface ReceivedChunk {
  readonly blocks: Uint8Array;
  readonly verified: string;
  /** One record per block, as in a snapshot file; it is empty for a block whose transactions are run. */
  readonly snapshots?: Uint8Array | undefined;
}

interface ReadBlock extends BranchBlock {
  readonly snapshots: Uint8Array | undefined;
}

/** Limits of the blocks that are parsed ahead: parsed, they take ten times as many bytes. */
const GROUP = { blocks: 128, bytes: 1024 * 1024 } as const;

export interface ReceivedBranchOptions {
  /** Returns all chunks, from the first one on, in each call. */
  readonly chunks: () => Iterable<ReceivedChunk>;
  readonly chainId: number;
  readonly shared: SharedAppendContext;
  readonly forks: Pick<ForkChoice, "prefetch">;
}

export class ReceivedBranch implements Branch {
  readonly #options: ReceivedBranchOptions;
  #atHand: ReadBlock | undefined;

  constructor(options: ReceivedBranchOptions) {
    this.#options = options;
  }

  /** Block that was handed out last. */
  get atHand(): Block | undefined {
    return this.#atHand?.block;
  }

  /** Whether snapshots came with the block at hand. */
  get isBySnapshots(): boolean {
    return this.#atHand?.snapshots !== undefined;
  }

  *heads(): Iterable<SignedHeader> {
    for (const part of this.#options.chunks()) for (const { head } of this.#splitBlocks(part)) yield head;
  }

  *blocks(passedOver: number): Iterable<BranchBlock> {
    let number = 0;
    let group: ReadBlock[] = [];
    let groupBytes = 0;
    for (const part of this.#options.chunks()) {
      const flags = new FlagReader(part.verified);
      const records = recordsOf(part);
      let inPart = 0;
      for (const split of this.#splitBlocks(part)) {
        number += 1;
        const record = records?.[inPart++]?.bytes;
        const snapshots = record === undefined || record.length === 0 ? undefined : record;
        const context = appendContextOf(flags, split.transactions.length, this.#options.shared);
        if (number <= passedOver) continue;
        const transactionBytes = split.transactions.reduce((sum, { length }) => sum + length, 0);
        const sizeBytes = transactionBytes + (snapshots?.length ?? 0);
        if (group.length === GROUP.blocks || groupBytes + sizeBytes > GROUP.bytes) {
          yield* this.#handOut(group);
          group = [];
          groupBytes = 0;
        }
        group.push({ block: parseSplitBlock(split, this.#options.chainId, fromPeers), context, snapshots });
        groupBytes += sizeBytes;
      }
    }
    yield* this.#handOut(group);
  }

  *#handOut(group: readonly ReadBlock[]): Iterable<BranchBlock> {
    this.#options.forks.prefetch(group.flatMap(({ block }) => block.transactions));
    for (const one of group) {
      this.#atHand = one;
      const { block, context, snapshots } = one;
      yield { block, context: withSnapshots(context, block, snapshots) };
    }
    this.#atHand = undefined;
  }

  *#splitBlocks({ blocks }: ReceivedChunk): Iterable<SplitBlock> {
    const reader = new BlockFileReader();
    for (const { bytes } of reader.push(blocks)) yield splitBlock(bytes, this.#options.chainId);
    reader.end();
  }
}

function recordsOf({ snapshots }: ReceivedChunk): readonly BlockRecord[] | undefined {
  return snapshots && new BlockFileReader(snapshotRecordSizes).push(snapshots);
}
