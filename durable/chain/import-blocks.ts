/**
 * Blocks of a block file, applied with full validation. Blocks that the chain already holds are passed over, so an import
 * that stopped goes on with the same file.
 */
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { BlockFileReader, type BlockRecord } from "../../src/protocol/blocks/block-file.ts";
import { describeFault } from "../../src/protocol/fault-text.ts";
import { RuleError, WireError } from "../../src/protocol/faults.ts";
import { readFiledBlock } from "../../src/rules/blocks/read-filed-block.ts";
import { FlagReader } from "../../src/rules/blocks/verified-signatures.ts";
import { HistoryMissing } from "../../src/rules/state/history-missing.ts";
import { offeredContext } from "./offered-context.ts";
import type { Chain } from "./open-chain.ts";

export interface ImportedBlocks {
  /** Height after the call. */
  readonly height: number;
  readonly applied: number;
  /** Why a block was refused, with its height; what came before it stays. */
  readonly fault: string | undefined;
}

/** Blocks that are parsed ahead of the one at hand. */
const GROUP_BLOCKS = 128;

/**
 * @param bytes whole records of a block file
 * @param toHeight last height to apply; undefined: all
 * @param verified which signatures need no verification any more (`encodeFlags`): the caller vouches for them
 */
export function importBlocks(
  chain: Chain,
  bytes: Uint8Array,
  {
    toHeight,
    nowMs,
    verified = "",
  }: { readonly toHeight: number | undefined; readonly nowMs: number; readonly verified?: string },
): ImportedBlocks {
  let applied = 0;
  const flags = new FlagReader(verified);
  const outcome = (error?: unknown): ImportedBlocks => {
    return { height: chain.view.height, applied, fault: error === undefined ? undefined : refusal(error, chain) };
  };
  return chain.forks.inBatch(() => {
    for (const { blocks, error } of groupsOf(new BlockFileReader().push(bytes), chain.view.settings.chainId)) {
      chain.forks.expect(blocks.flatMap(({ transactions }) => transactions));
      for (const block of blocks) {
        if (toHeight !== undefined && chain.view.height >= toHeight) return outcome();
        try {
          if (importBlock(chain, block, nowMs, flags)) applied += 1;
        } catch (refused) {
          return outcome(refused);
        }
      }
      if (error !== undefined && (toHeight === undefined || chain.view.height < toHeight)) return outcome(error);
    }
    return outcome();
  });
}

interface BlockGroup {
  readonly blocks: readonly Block[];
  /** Why the block after these cannot be read. */
  readonly error: unknown;
}

/** Blocks in groups large enough to look for what their transactions need in one go. */
function* groupsOf(records: readonly BlockRecord[], chainId: number): Iterable<BlockGroup> {
  for (let first = 0; first < records.length; first += GROUP_BLOCKS) {
    const blocks: Block[] = [];
    let error: unknown;
    try {
      for (const { bytes } of records.slice(first, first + GROUP_BLOCKS)) blocks.push(readFiledBlock(bytes, chainId));
    } catch (fault) {
      error = fault;
    }
    yield { blocks, error };
    if (error !== undefined) return;
  }
}

/** @returns whether the block is new to the chain */
function importBlock(chain: Chain, block: Block, nowMs: number, flags: FlagReader): boolean {
  const context = offeredContext(flags, block.transactions.length, nowMs);
  const { historyFrom } = chain.view;
  // Of blocks below a checkpoint the chain knows nothing, but that they came before.
  const first = historyFrom > 1 ? chain.view.findHeader(historyFrom) : undefined;
  if (first !== undefined && block.header.timestamp < first.header.timestamp) return false;
  const isNext = equalBytes(block.header.reference, chain.stored.tip().id);
  if (!isNext && chain.view.findHeightOf(block.id) !== undefined) return false;
  return chain.forks.appendBlock(block, context);
}

function refusal(error: unknown, { view }: Chain): string {
  const refused = `the block for height ${view.height + 1} is refused: `;
  if (error instanceof RuleError) return refused + describeFault(error.fault);
  if (error instanceof WireError) return `${refused}it cannot be read (${error.message})`;
  if (error instanceof HistoryMissing) return refused + error.message;
  throw error;
}
