/** What the tables of a checkpoint say of generators (feature 25) beside what the blocks say: who has committed, and who contradicted the chain. */
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { Commitment } from "../../src/rules/finality/commitment.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../../src/rules/finality/generation-period.ts";
import { senderAddress } from "../../src/rules/transactions/sender-address.ts";
import { transactionTable } from "../../src/tables/blocks.ts";
import { commitmentTable, generatorConflictTable } from "../../src/tables/commitments.ts";
import type { StateStore } from "../state/state-store.ts";
import type { PastView } from "./past-view.ts";

/**
 * Commitments and contradictions of one block.
 * @param view at the height
 * @returns the end of a sentence; undefined: nothing is wrong
 */
export function generatorRowsFault(
  store: StateStore,
  view: PastView,
  height: number,
  block: Block,
): string | undefined {
  const made = commitmentsOf(store, height, block);
  const next = nextGenerationPeriod(height, view);
  const listed = next === undefined ? [] : view.commitments(next.start);
  const isBehind = listed.findIndex((commitment) => commitment.height >= height);
  const first = isBehind < 0 ? listed.length : isBehind;
  const areListed = made.every((commitment, number) => isSame(listed[first + number], commitment, first + number));
  if (!areListed || listed[first + made.length]?.height === height) return "its commitments to generate are other ones";
  const current = generationPeriodAt(height, view);
  const conflicts = current === undefined ? [] : [...view.conflicts(current.start)];
  const said = block.header.finalizationVoting?.conflictEndorsements.map(({ endorserIndex }) => endorserIndex) ?? [];
  const kept = new Set(conflicts.flatMap(([index, conflictHeight]) => (conflictHeight === height ? [index] : [])));
  return kept.size === said.length && said.every((index) => kept.has(index))
    ? undefined
    : "other generators contradict the chain in it";
}

/**
 * Whether rows are of periods for which their blocks can have made none.
 * @param tipHeight of the last block
 * @returns a sentence; undefined: none are
 */
export function generatorPeriodsFault(store: StateStore, view: PastView, tipHeight: number): string | undefined {
  const isOf =
    (periodOf: typeof generationPeriodAt) =>
    (start: number, height: number): boolean =>
      height <= tipHeight && periodOf(height, view)?.start === start;
  const tables = [
    { name: commitmentTable.name, isRight: isOf(nextGenerationPeriod) },
    { name: generatorConflictTable.name, isRight: isOf(generationPeriodAt) },
  ];
  for (const { name, isRight } of tables)
    for (const [start, lowest, highest] of store.rows(
      `SELECT period_start, MIN(height), MAX(height) FROM ${name} GROUP BY period_start`,
    ))
      if (![lowest, highest].every((height) => isRight(Number(start), Number(height))))
        return `its table ${name} has rows of the period from ${start} on that no block of it can have made`;
  return undefined;
}

/** What the transactions of the block commit to, in their order. */
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

function isSame(listed: Commitment | undefined, made: Omit<Commitment, "index">, index: number): boolean {
  return (
    listed !== undefined &&
    listed.index === index &&
    listed.height === made.height &&
    equalBytes(listed.transactionId, made.transactionId) &&
    equalBytes(listed.address, made.address) &&
    equalBytes(listed.publicKey, made.publicKey) &&
    equalBytes(listed.endorserPublicKey, made.endorserPublicKey)
  );
}
