/** Blocks that somebody has sent, as a branch: what is read of them is let go again as it is gone through. */
import type { Block, SignedHeader, SplitBlock } from "../../../src/protocol/blocks/block.ts";
import { BlockFileReader, type BlockRecord, snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { parseSplitBlock, splitBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { fromPeers } from "../../../src/rules/blocks/from-peers.ts";
import { FlagReader } from "../../../src/rules/blocks/verified-signatures.ts";
import { type OfferedTerms, offeredContext, withSnapshots } from "./append-context.ts";
import type { Branch, BranchBlock } from "./branch.ts";
import type { ForkChoice } from "./fork-choice.ts";

/** Whole records of a block file, and which of their signatures were verified (`encodeFlags`). */
export interface OfferedPart {
  readonly blocks: Uint8Array;
  readonly verified: string;
  /** A record for each block, as in a snapshot file: an empty one of a block whose transactions are run. */
  readonly snapshots?: Uint8Array | undefined;
}

interface ReadBlock extends BranchBlock {
  readonly snapshots: Uint8Array | undefined;
}

/** So many blocks are parsed ahead of the one at hand, but no more bytes than these: parsed they take ten times as many. */
const GROUP = { blocks: 128, bytes: 1024 * 1024 } as const;

export interface OfferedBranchFacts {
  /** From the first one on, each time that it is called. */
  readonly parts: () => Iterable<OfferedPart>;
  readonly chainId: number;
  readonly terms: OfferedTerms;
  readonly forks: Pick<ForkChoice, "expect">;
}

export class OfferedBranch implements Branch {
  readonly #facts: OfferedBranchFacts;
  #atHand: ReadBlock | undefined;

  constructor(facts: OfferedBranchFacts) {
    this.#facts = facts;
  }

  /** The block that was handed out last. */
  get atHand(): Block | undefined {
    return this.#atHand?.block;
  }

  /** Whether snapshots came with it. */
  get isBySnapshots(): boolean {
    return this.#atHand?.snapshots !== undefined;
  }

  *heads(): Iterable<SignedHeader> {
    for (const part of this.#facts.parts()) for (const { head } of this.#splitBlocks(part)) yield head;
  }

  *blocks(passedOver: number): Iterable<BranchBlock> {
    let number = 0;
    let group: ReadBlock[] = [];
    let groupBytes = 0;
    for (const part of this.#facts.parts()) {
      const flags = new FlagReader(part.verified);
      const records = recordsOf(part);
      let inPart = 0;
      for (const split of this.#splitBlocks(part)) {
        number += 1;
        const record = records?.[inPart++]?.bytes;
        const snapshots = record === undefined || record.length === 0 ? undefined : record;
        const context = offeredContext(flags, split.transactions.length, this.#facts.terms);
        if (number <= passedOver) continue;
        const transactionBytes = split.transactions.reduce((sum, { length }) => sum + length, 0);
        const sizeBytes = transactionBytes + (snapshots?.length ?? 0);
        if (group.length === GROUP.blocks || groupBytes + sizeBytes > GROUP.bytes) {
          yield* this.#handOut(group);
          group = [];
          groupBytes = 0;
        }
        group.push({ block: parseSplitBlock(split, this.#facts.chainId, fromPeers), context, snapshots });
        groupBytes += sizeBytes;
      }
    }
    yield* this.#handOut(group);
  }

  *#handOut(group: readonly ReadBlock[]): Iterable<BranchBlock> {
    this.#facts.forks.expect(group.flatMap(({ block }) => block.transactions));
    for (const one of group) {
      this.#atHand = one;
      const { block, context, snapshots } = one;
      yield { block, context: withSnapshots(context, block, snapshots) };
    }
    this.#atHand = undefined;
  }

  *#splitBlocks({ blocks }: OfferedPart): Iterable<SplitBlock> {
    const reader = new BlockFileReader();
    for (const { bytes } of reader.push(blocks)) yield splitBlock(bytes, this.#facts.chainId);
    reader.end();
  }
}

function recordsOf({ snapshots }: OfferedPart): readonly BlockRecord[] | undefined {
  return snapshots && new BlockFileReader(snapshotRecordSizes).push(snapshots);
}
