/**
 * A transaction and a state give a change set or a fault: the one place where transactions are judged, for blocks, for
 * the pool and for questions of clients alike.
 * @source Waves: state/diffs/TransactionDiffer.scala
 */
import type { Snapshot } from "../../src/protocol/snapshots/snapshot.ts";
import type { Transaction, TransactionStatus } from "../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";
import { checkActivation } from "./checks/activation.ts";
import { verifyAssetScripts } from "./checks/asset-scripts.ts";
import { verifyAuthorization } from "./checks/authorization.ts";
import { checkBalances } from "./checks/balances.ts";
import { checkDuplicate } from "./checks/duplicates.ts";
import { checkFeeFunds } from "./checks/fee-funds.ts";
import { checkFee } from "./checks/minimum-fee.ts";
import { checkNetwork } from "./checks/network.ts";
import { checkSpendings } from "./checks/spendings.ts";
import { checkTimestamp } from "./checks/timestamps.ts";
import { effectOf } from "./effects.ts";

export interface AppliedTransaction {
  /** The transaction's own effect. The generator's share of the fee comes on top: `fee-shares.ts`. */
  readonly snapshot: Snapshot;
  readonly status: TransactionStatus;
  /** What the scripts cost that ran. */
  readonly spentComplexity: bigint;
}

/**
 * Judges the transaction on the state: common rules, fees, authorization, effect, balances, asset scripts, in this order.
 * Its fields are taken to be valid in themselves.
 * @param view the state before it, at the height of its block
 * @throws RuleError with the first rule that it breaks
 */
export function applyTransaction(transaction: Transaction, view: StateView, context: BlockContext): AppliedTransaction {
  checkNetwork(transaction, view);
  checkTimestamp(transaction, view, context);
  checkActivation(transaction, view);
  checkDuplicate(transaction, view);
  checkSpendings(transaction, view, context);
  checkFee(transaction, view);
  checkFeeFunds(transaction, view);
  const verifierComplexity = verifyAuthorization(transaction, view, context);
  const snapshot = effectOf(transaction, view, context);
  checkBalances(snapshot, view);
  const spentComplexity = verifierComplexity + verifyAssetScripts(transaction, view);
  return { snapshot, status: "succeeded", spentComplexity };
}
