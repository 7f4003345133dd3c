/** An applied block or micro-block as rows of the tables. */

import { platformLimits } from "../../../../src/platform/limits.ts";
import type { Block, FinalizationVoting } from "../../../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../../../src/protocol/blocks/block-version.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { encodeTransactionSnapshot } from "../../../../src/protocol/snapshots/transaction-snapshot.ts";
import { type CallRecord, encodeCallRecord, omittedCallRecord } from "../../../../src/ride/results/call-record.ts";
import { type AppliedBlock, isNgActive } from "../../../../src/rules/blocks/apply-block.ts";
import type { BlockUsage, IncludedTransaction } from "../../../../src/rules/blocks/block-run.ts";
import { blockScore } from "../../../../src/rules/consensus/block-score.ts";
import { issuedWithBlock } from "../../../../src/rules/consensus/reward-shares.ts";
import type { OverlayView } from "../../../../src/rules/state/overlay-view.ts";
import {
  type BlockRow,
  blockTable,
  microBlockTable,
  type TransactionRow,
  transactionAddressTable,
  transactionTable,
} from "../../../../src/tables/blocks.ts";
import { challengeTable } from "../../../../src/tables/challenges.ts";
import { generatorConflictTable } from "../../../../src/tables/commitments.ts";
import { added, type RowChange, written } from "../../../../src/tables/schema/row-change.ts";
import { changedRows } from "./changed-rows.ts";

/** The block's row. @param parent row of the parent; undefined for genesis */
export function blockRow(
  block: Block,
  applied: AppliedBlock,
  facts: {
    readonly hitSource: Uint8Array;
    readonly parent: BlockRow | undefined;
    readonly sizeBytes: number;
    readonly finalizedHeight: number;
  },
): BlockRow {
  const { overlay, reward } = applied;
  const { header } = block;
  const { height, settings } = overlay;
  const { functionality } = settings;
  const issued = issuedWithBlock({ reward, height, features: overlay, functionality });
  return {
    height,
    id: block.id,
    header: encodeHeader(block, settings.chainId),
    timestamp: header.timestamp,
    generator: applied.generator,
    sizeBytes: facts.sizeBytes,
    transactionCount: block.transactions.length,
    totalFee: applied.totalFee,
    reward,
    rewardVote: header.rewardVote,
    rewardShares: applied.rewardShares.filter(({ amount }) => amount > 0n),
    vrf: header.version >= BlockVersion.Protobuf ? facts.hitSource : undefined,
    wavesAmount: (facts.parent?.wavesAmount ?? settings.genesis.initialBalance) + issued - applied.burnt,
    hitSource: facts.hitSource,
    score: (facts.parent?.score ?? 0n) + blockScore(header.baseTarget),
    carryFee: applied.carryFee,
    stateHash: applied.stateHash,
    finalizedHeight: facts.finalizedHeight,
  };
}

/** The block's bytes without its transactions, as stored in the block table. */
export function encodeHeader(block: Pick<Block, "header" | "signature" | "id">, chainId: number): Uint8Array {
  return encodeBlock({ ...block, transactions: [] }, chainId);
}

/** Row with the generator of the block that a key block challenges. */
export function challengeRows({ height, block: { challenged } }: OverlayView): RowChange[] {
  return challenged === undefined ? [] : [added(challengeTable, { address: challenged, height })];
}

/** Rows of the generators that a voting proves to contradict themselves. */
export function conflictRows(voting: FinalizationVoting | undefined, periodStart: number, height: number): RowChange[] {
  const conflicts = voting?.conflictEndorsements ?? [];
  return conflicts.map(({ endorserIndex }) =>
    added(generatorConflictTable, { periodStart, position: endorserIndex, height }),
  );
}

export interface CommitRowsOptions {
  /** 0 for the key block, 1, 2, … for its micro-blocks. */
  readonly position: number;
  /** Time when the block or micro-block was made or received. */
  readonly nowMs: number;
  /** Usage of the whole block so far. */
  readonly usage: BlockUsage;
  readonly storesSnapshots: boolean;
}

/** Every row that a block or micro-block writes, apart from those of key blocks only. */
export function commitRows(
  row: BlockRow,
  placed: readonly IncludedTransaction[],
  overlay: AppliedBlock["overlay"],
  { position, nowMs, usage, storesSnapshots }: CommitRowsOptions,
): RowChange[] {
  const { height } = row;
  const changes: RowChange[] = [position === 0 ? added(blockTable, row) : written(blockTable, row)];
  if (isNgActive(overlay)) {
    const { sizeBytes: usedSizeBytes, scriptComplexity: usedComplexity } = usage;
    const form = { height, position, totalBlockId: row.id, timestamp: nowMs, usedSizeBytes, usedComplexity };
    changes.push(added(microBlockTable, form));
  }
  const firstPosition = row.transactionCount - placed.length;
  placed.forEach((item, index) => {
    changes.push(...transactionRows(item, firstPosition + index, overlay, storesSnapshots));
  });
  // Concatenated: as arguments of one call, the rows of a block full of data entries would overflow the stack.
  return changes.concat(changedRows(overlay.changes, overlay, position === 0));
}

/**
 * Longest stored call record: arguments of calls between dApps can take more bytes than a row holds. A row is written
 * and published as text, two characters for a byte, and also holds the transaction and its snapshot.
 */
const maxCallRecordBytes = Math.floor(0.35 * platformLimits.valueBytes);

/** The record's bytes, or a mark that they were too many: the node then does not know what the call did. */
export function storedCallRecord(record: CallRecord | Uint8Array): Uint8Array {
  if (record instanceof Uint8Array) return record;
  const bytes = encodeCallRecord(record);
  return bytes.length <= maxCallRecordBytes ? bytes : omittedCallRecord;
}

function transactionRows(
  placed: IncludedTransaction,
  position: number,
  overlay: AppliedBlock["overlay"],
  keepsSnapshots: boolean,
): RowChange[] {
  const { height } = overlay;
  const { transaction, status, spentComplexity, bytes, addresses } = placed;
  const row: TransactionRow = {
    id: transaction.id,
    height,
    position,
    type: transaction.type,
    status,
    spentComplexity: Number(spentComplexity),
    bytes,
    snapshot: keepsSnapshots ? encodeTransactionSnapshot(placed) : undefined,
    callRecord: placed.callRecord && storedCallRecord(placed.callRecord),
  };
  return [
    added(transactionTable, row),
    ...addresses.map((address) => added(transactionAddressTable, { address, height, position })),
  ];
}
