/**
 * Import of the blocks of a block file, with full validation or by the snapshots of a snapshot file. Blocks that the
 * chain already has are skipped, so an import that stopped continues with the same files.
 */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { BlockFileReader, snapshotRecordSizes } from "../../../src/protocol/blocks/block-file.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { readFiledBlock } from "../../../src/rules/blocks/read-filed-block.ts";
import { FlagReader } from "../../../src/rules/blocks/verified-signatures.ts";
import { HistoryMissing } from "../../../src/rules/state/history-missing.ts";
import { appendContextOf, withSnapshots } from "./append-context.ts";
import type { Chain } from "./open-chain.ts";

export interface ImportedBlocks {
  /** Height after the call. */
  readonly height: number;
  readonly applied: number;
  /** Reason why a block was refused, with its height; the blocks before it stay. */
  readonly fault: string | undefined;
}

/** Number of blocks that are parsed ahead. */
const GROUP_BLOCKS = 128;

export interface ImportOptions {
  /** Last height to apply; by default all. */
  readonly toHeight?: number | undefined;
  readonly nowMs: number;
  /** Flags of signatures that need no verification any more (`encodeFlags`): the caller vouches for them. */
  readonly verified?: string;
  /** Whole records of a snapshot file, one for each block: they replace running its transactions. */
  readonly snapshots?: Uint8Array | undefined;
}

/** @param bytes whole records of a block file */
export function importBlocks(
  chain: Chain,
  bytes: Uint8Array,
  { toHeight, nowMs, verified = "", snapshots }: ImportOptions,
): ImportedBlocks {
  let applied = 0;
  const flags = new FlagReader(verified);
  const outcome = (error?: unknown): ImportedBlocks => {
    return { height: chain.view.height, applied, fault: error === undefined ? undefined : refusal(error, chain) };
  };
  const records = filedBlocks(bytes, snapshots);
  return chain.forks.inBatch(() => {
    for (const { blocks, error } of groupsOf(records, chain.view.settings.chainId)) {
      chain.forks.prefetch(blocks.flatMap(({ block }) => block.transactions));
      for (const filed of blocks) {
        if (toHeight !== undefined && chain.view.height >= toHeight) return outcome();
        try {
          if (importBlock(chain, filed, nowMs, flags)) applied += 1;
        } catch (refused) {
          return outcome(refused);
        }
      }
      if (error !== undefined && (toHeight === undefined || chain.view.height < toHeight)) return outcome(error);
    }
    return outcome();
  });
}

/** Record of a block file, with the matching one of a snapshot file. */
interface FiledBytes {
  readonly bytes: Uint8Array;
  readonly snapshots: Uint8Array | undefined;
}

/** @throws Error if the numbers of snapshot records and blocks differ */
function filedBlocks(bytes: Uint8Array, snapshots: Uint8Array | undefined): readonly FiledBytes[] {
  const blocks = new BlockFileReader().push(bytes);
  if (snapshots === undefined) return blocks.map((record) => ({ bytes: record.bytes, snapshots: undefined }));
  const records = new BlockFileReader(snapshotRecordSizes).push(snapshots);
  if (records.length !== blocks.length)
    throw new Error(`${records.length} records of snapshots for ${blocks.length} blocks`);
  return blocks.map((record, index) => ({ bytes: record.bytes, snapshots: records[index]?.bytes }));
}

interface FiledBlock {
  readonly block: Block;
  readonly snapshots: Uint8Array | undefined;
}

interface BlockGroup {
  readonly blocks: readonly FiledBlock[];
  /** Error from reading the block after these; undefined if there is none. */
  readonly error: unknown;
}

/** Blocks in groups, large enough for one prefetch of the rows that their transactions need. */
function* groupsOf(records: readonly FiledBytes[], chainId: number): Iterable<BlockGroup> {
  for (let first = 0; first < records.length; first += GROUP_BLOCKS) {
    const blocks: FiledBlock[] = [];
    let error: unknown;
    try {
      for (const { bytes, snapshots } of records.slice(first, first + GROUP_BLOCKS))
        blocks.push({ block: readFiledBlock(bytes, chainId), snapshots });
    } catch (fault) {
      error = fault;
    }
    yield { blocks, error };
    if (error !== undefined) return;
  }
}

/** @returns whether the block is new to the chain */
function importBlock(chain: Chain, { block, snapshots }: FiledBlock, nowMs: number, flags: FlagReader): boolean {
  const context = appendContextOf(flags, block.transactions.length, { nowMs });
  const { historyFrom } = chain.view;
  // The chain has no blocks below a checkpoint; it knows only that they are older.
  const first = historyFrom > 1 ? chain.view.findHeader(historyFrom) : undefined;
  if (first !== undefined && block.header.timestamp < first.header.timestamp) return false;
  const isNext = equalBytes(block.header.reference, chain.stored.tip().id);
  if (!isNext && chain.view.findHeightOf(block.id) !== undefined) return false;
  return chain.forks.appendBlock(block, withSnapshots(context, block, snapshots));
}

function refusal(error: unknown, { view }: Chain): string {
  const refused = `the block for height ${view.height + 1} is refused: `;
  if (error instanceof RuleError) return refused + describeViolation(error.violation);
  if (error instanceof WireError) return `${refused}it cannot be read (${error.message})`;
  if (error instanceof HistoryMissing) return refused + error.message;
  throw error;
}
