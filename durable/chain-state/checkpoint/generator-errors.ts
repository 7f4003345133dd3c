/**
 * Check of a checkpoint's tables about generators (feature 25) against its blocks: commitments, and conflicts with the
 * chain.
 */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { Commitment } from "../../../src/rules/finality/commitment.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../../../src/rules/finality/generation-period.ts";
import { senderAddress } from "../../../src/rules/transactions/sender-address.ts";
import { transactionTable } from "../../../src/tables/blocks.ts";
import { commitmentTable, generatorConflictTable } from "../../../src/tables/commitments.ts";
import type { StateStore } from "../state/state-store.ts";
import type { PastView } from "./past-view.ts";

/**
 * Checks the commitments and conflicts of one block.
 * @param view at the height
 * @returns end of a sentence; undefined: no error
 */
export function findGeneratorRowsError(
  store: StateStore,
  view: PastView,
  height: number,
  block: Block,
): string | undefined {
  const committed = commitmentsOf(store, height, block);
  const next = nextGenerationPeriod(height, view);
  const listed = next === undefined ? [] : view.commitments(next.start);
  const firstIndexOfBlock = listed.findIndex((commitment) => commitment.height >= height);
  const first = firstIndexOfBlock < 0 ? listed.length : firstIndexOfBlock;
  const areListed = committed.every((commitment, number) => isSame(listed[first + number], commitment, first + number));
  if (!areListed || listed[first + committed.length]?.height === height)
    return "its commitments to generate do not match";
  const current = generationPeriodAt(height, view);
  const conflicts = current === undefined ? [] : [...view.conflicts(current.start)];
  const inHeader =
    block.header.finalizationVoting?.conflictEndorsements.map(({ endorserIndex }) => endorserIndex) ?? [];
  const inTable = new Set(conflicts.flatMap(([index, conflictHeight]) => (conflictHeight === height ? [index] : [])));
  return inTable.size === inHeader.length && inHeader.every((index) => inTable.has(index))
    ? undefined
    : "its conflicting generators do not match";
}

/**
 * Checks that rows belong to periods for which their blocks can have made them.
 * @param tipHeight height of the last block
 * @returns message; undefined: no error
 */
export function findGeneratorPeriodsError(store: StateStore, view: PastView, tipHeight: number): string | undefined {
  const belongsTo =
    (periodOf: typeof generationPeriodAt) =>
    (start: number, height: number): boolean =>
      height <= tipHeight && periodOf(height, view)?.start === start;
  const tables = [
    { name: commitmentTable.name, isValid: belongsTo(nextGenerationPeriod) },
    { name: generatorConflictTable.name, isValid: belongsTo(generationPeriodAt) },
  ];
  for (const { name, isValid } of tables)
    for (const [start, lowest, highest] of store.rows(
      `SELECT period_start, MIN(height), MAX(height) FROM ${name} GROUP BY period_start`,
    ))
      if (![lowest, highest].every((height) => isValid(Number(start), Number(height))))
        return `its table ${name} has rows of the period from ${start} on that none of its blocks can have made`;
  return undefined;
}

/** Commitments by the block's transactions, in order. */
function commitmentsOf(
  store: StateStore,
  height: number,
  { transactions }: Block,
): readonly Omit<Commitment, "index">[] {
  if (!transactions.some(({ type }) => type === TransactionType.CommitToGeneration)) return [];
  const rows = store.query(transactionTable, "WHERE height = ? ORDER BY position", height);
  return transactions.flatMap((transaction, position) => {
    if (transaction.type !== TransactionType.CommitToGeneration || rows[position]?.status === "elided") return [];
    const { id: transactionId, sender: publicKey, endorserPublicKey } = transaction;
    return [{ address: senderAddress(transaction), publicKey, endorserPublicKey, transactionId, height }];
  });
}

function isSame(listed: Commitment | undefined, committed: Omit<Commitment, "index">, index: number): boolean {
  return (
    listed !== undefined &&
    listed.index === index &&
    listed.height === committed.height &&
    equalBytes(listed.transactionId, committed.transactionId) &&
    equalBytes(listed.address, committed.address) &&
    equalBytes(listed.publicKey, committed.publicKey) &&
    equalBytes(listed.endorserPublicKey, committed.endorserPublicKey)
  );
}
