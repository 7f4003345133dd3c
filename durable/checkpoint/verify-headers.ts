/**
 * The blocks of a checkpoint, as a chain: each names the one before, is signed by its generator, has its transactions, and comes no
 * sooner than its generator's balance lets it. What they have done to the state is not done again.
 */
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../src/protocol/blocks/block-signature.ts";
import { validateBlockForm } from "../../src/protocol/blocks/validate-block-form.ts";
import { describeFault } from "../../src/protocol/fault-text.ts";
import { RuleError, WireError } from "../../src/protocol/faults.ts";
import { verifyHeader } from "../../src/rules/blocks/verify-header.ts";
import { hitSourceHeight } from "../../src/rules/consensus/hit.ts";
import { StoredChain } from "../chain/stored-chain.ts";
import type { StateStore } from "../state/state-store.ts";
import { generatorRowsFault } from "./generator-faults.ts";
import { CheckpointRefused } from "./manifest.ts";
import type { PastView } from "./past-view.ts";
import { addedUpFault, blockRowFault, genesisRowFault, transactionRowsFault } from "./row-faults.ts";

/** Base targets look so far back behind the parent. */
const BASE_TARGET_DEPTH = 2;

/**
 * Verifies blocks that stand in the tables.
 * @param heights first and last; nothing is known of blocks below `firstHeight`
 * @throws CheckpointRefused
 */
export function verifyHeaders(
  view: PastView,
  store: StateStore,
  heights: { readonly from: number; readonly to: number; readonly firstHeight: number },
  nowMs: number,
): void {
  const stored = new StoredChain(view, store);
  for (let height = heights.from; height <= heights.to; height++) {
    const fault = faultOf(() => findFault(stored, store, height, heights.firstHeight, nowMs));
    if (fault !== undefined) throw new CheckpointRefused(`block ${height} of the checkpoint does not hold: ${fault}`);
  }
}

function faultOf(find: () => string | undefined): string | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof RuleError) return describeFault(error.fault);
    if (error instanceof WireError) return `it cannot be read (${error.message})`;
    throw error;
  }
}

function findFault(
  stored: StoredChain,
  store: StateStore,
  height: number,
  firstHeight: number,
  nowMs: number,
): string | undefined {
  const view = stored.view as PastView;
  view.goTo(height);
  const block = stored.findBlock(height);
  if (block === undefined) return "it is missing";
  const row = stored.rowAt(height);
  const { settings } = view;
  const own =
    blockRowFault(row, block, settings.chainId) ??
    transactionRowsFault(store, height, block) ??
    generatorRowsFault(store, view, height, block);
  if (own !== undefined) return own;
  if (height === 1) return genesisRowFault(row, settings);
  if (height === firstHeight) return signatureFault(block, settings.chainId);
  const parent = stored.rowAt(height - 1);
  if (!equalBytes(block.header.reference, parent.id)) return "it stands on another block than the one below it";
  view.goTo(height - 1);
  const added = addedUpFault(row, parent, block, view, firstHeight);
  if (added !== undefined) return added;
  const lowest = Math.min(hitSourceHeight(height - 1, view), height - 1 - BASE_TARGET_DEPTH);
  // What a block below has drawn is not known where that one is not carried.
  if (firstHeight > 1 && lowest < firstHeight) return signatureFault(block, settings.chainId);
  const hitSource = verifyHeader(block, view, { nowMs });
  return equalBytes(hitSource, row.hitSource) ? undefined : "its hit source is another one";
}

/** @throws RuleError its transactions are others than its header says */
function signatureFault(block: Block, chainId: number): string | undefined {
  validateBlockForm(block);
  return hasValidBlockSignature(block, chainId) ? undefined : "its signature does not verify";
}
