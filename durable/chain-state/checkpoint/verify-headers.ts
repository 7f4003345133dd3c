/**
 * Verification of a checkpoint's blocks as a chain: each refers to its parent, is signed by its generator, has its
 * transactions, and is not earlier than its generator's balance allows. The transactions are not run again.
 */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../../src/protocol/blocks/block-signature.ts";
import { validateBlockForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { RuleError, WireError } from "../../../src/protocol/errors.ts";
import { verifyHeader } from "../../../src/rules/blocks/verify-header.ts";
import { hitSourceHeight } from "../../../src/rules/consensus/hit.ts";
import { StoredChain } from "../chain/stored-chain.ts";
import type { StateStore } from "../state/state-store.ts";
import { findGeneratorRowsError } from "./generator-errors.ts";
import { CheckpointRefused } from "./manifest.ts";
import type { PastView } from "./past-view.ts";
import { findBlockRowError, findGenesisRowError, findTotalsError, findTransactionRowsError } from "./row-errors.ts";

/** Number of blocks before the parent that base targets look back. */
const BASE_TARGET_DEPTH = 2;

/**
 * Verifies blocks in the tables.
 * @param heights first and last height; blocks below `firstHeight` are not in the checkpoint
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
    const error = errorTextOf(() => findError(stored, store, height, heights.firstHeight, nowMs));
    if (error !== undefined) throw new CheckpointRefused(`block ${height} of the checkpoint is invalid: ${error}`);
  }
}

function errorTextOf(find: () => string | undefined): string | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof RuleError) return describeViolation(error.violation);
    if (error instanceof WireError) return `it cannot be read (${error.message})`;
    throw error;
  }
}

function findError(
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
  const rowError =
    findBlockRowError(row, block, settings.chainId) ??
    findTransactionRowsError(store, height, block) ??
    findGeneratorRowsError(store, view, height, block);
  if (rowError !== undefined) return rowError;
  if (height === 1) return findGenesisRowError(row, settings);
  if (height === firstHeight) return findSignatureError(block, settings.chainId);
  const parent = stored.rowAt(height - 1);
  if (!equalBytes(block.header.reference, parent.id)) return "its parent is not the block below it";
  view.goTo(height - 1);
  const totalsError = findTotalsError(row, parent, block, view, firstHeight);
  if (totalsError !== undefined) return totalsError;
  const lowest = Math.min(hitSourceHeight(height - 1, view), height - 1 - BASE_TARGET_DEPTH);
  // The drawn block's hit source is unknown if that block is not in the checkpoint.
  if (firstHeight > 1 && lowest < firstHeight) return findSignatureError(block, settings.chainId);
  const hitSource = verifyHeader(block, view, { nowMs });
  return equalBytes(hitSource, row.hitSource) ? undefined : "its hit source does not match";
}

/** @throws RuleError the transactions do not match the header */
function findSignatureError(block: Block, chainId: number): string | undefined {
  validateBlockForm(block);
  return hasValidBlockSignature(block, chainId) ? undefined : "its signature does not verify";
}
