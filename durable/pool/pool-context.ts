/**
 * The state and the block against which the pool checks a transaction: the tip, as if the block went on now.
 * @source Waves: utx/UtxPoolImpl.scala (addTransaction), utx/UtxPriorityPool.scala (compositeBlockchain)
 */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";
import type { StateView } from "../../src/rules/state/state-view.ts";
import { applyTransaction } from "../../src/rules/transactions/apply-transaction.ts";
import type { BlockContext } from "../../src/rules/transactions/block-context.ts";

export function poolContext(view: StateView, nowMs: number, verifySignatures: boolean): BlockContext {
  const tip = view.findHeader(view.height);
  if (tip === undefined) throw new Error("the pool needs a chain with a genesis block");
  return {
    previousBlockTimestamp: tip.header.timestamp,
    blockTimestamp: BigInt(nowMs),
    blockGenerator: addressOfPublicKey(tip.header.generator, view.settings.chainId),
    verifySignatures,
  };
}

/** The tip with transactions on top that a micro-block will bring back; those that no longer hold are passed over. */
export function viewAfter(transactions: Iterable<Transaction>, view: StateView, nowMs: number): StateView {
  const overlay = new OverlayView(view, { height: view.height });
  const context = poolContext(view, nowMs, false);
  for (const transaction of transactions) {
    try {
      const { snapshot, status } = applyTransaction(transaction, overlay, context);
      overlay.apply(snapshot);
      overlay.place(transaction, status);
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
    }
  }
  return overlay;
}

/** Whether a transaction with the timestamp is too old for every block to come. */
export function isExpired(timestamp: bigint, view: StateView, nowMs: number): boolean {
  return BigInt(nowMs) - timestamp > view.settings.functionality.maxTransactionTimeBackOffsetMs;
}
