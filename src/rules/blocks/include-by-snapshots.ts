/**
 * Inclusion of transactions without executing them: received snapshots give their effects, and the state hash proves
 * the snapshots right.
 * @source docs/protocol/snapshots-and-state-hash.md 7; Waves: state/appender/package.scala (responseToSnapshot),
 * state/diffs/BlockDiffer.scala
 */
import type { Block, BlockHeader } from "../../protocol/blocks/block.ts";
import { RuleError, WireError } from "../../protocol/errors.ts";
import { parseTransactionSnapshot, type TransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { checkDuplicate } from "../transactions/checks/duplicates.ts";
import { checkNetwork } from "../transactions/checks/network.ts";
import type { IncludeTransaction } from "./apply-block.ts";
import { maxSnapshotBytes, refuseSnapshot, verifySnapshot } from "./verify-snapshot.ts";

/** Block or micro-block. */
type BlockWithTransactions = Pick<Block, "transactions"> & Partial<Pick<BlockHeader, "challengedHeader">>;

/**
 * Includes each transaction with its snapshot. Checks of the transaction only the assumptions of the tables: its
 * network, and that its id is new as far as blocks remember ids; no signature, fee, script or balance.
 * @param snapshots wire forms, one for each transaction
 * @param block with the transactions
 * @returns function that throws RuleError snapshotInvalid besides violations of the transaction
 * @throws RuleError snapshotCountWrong
 */
export function includeBySnapshots(
  snapshots: readonly Uint8Array[],
  { transactions, challengedHeader }: BlockWithTransactions,
): IncludeTransaction {
  if (snapshots.length !== transactions.length)
    throw new RuleError({ code: "snapshotCountWrong", expected: transactions.length, got: snapshots.length });
  const mayElide = challengedHeader !== undefined;
  return (run, transaction, index) => {
    const { overlay } = run;
    const received = readSnapshot(snapshots[index] as Uint8Array, transaction, overlay.settings.chainId);
    checkNetwork(transaction, overlay);
    // Elided ones, too: the challenged block could not contain them otherwise.
    checkDuplicate(transaction, overlay, run);
    run.addSnapshot(transaction, verifySnapshot(received, transaction, overlay, { mayElide }));
  };
}

/** @throws RuleError snapshotInvalid */
function readSnapshot(bytes: Uint8Array, transaction: Transaction, chainId: number): TransactionSnapshot {
  const { id } = transaction;
  if (bytes.length > maxSnapshotBytes)
    refuseSnapshot(id, `${bytes.length} bytes; ${maxSnapshotBytes} at most expected`);
  try {
    return parseTransactionSnapshot(bytes, { transactionId: id, chainId });
  } catch (error) {
    if (error instanceof WireError) return refuseSnapshot(id, `it cannot be read (${error.message})`);
    throw error;
  }
}
