/** Admission of transactions to a fork's pool: the state that their validation needs is fetched first. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { deterministicOnly } from "../../../src/rules/state/deterministic-only.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { RemoteStateMissing } from "../../../src/rules/state/remote-state-missing.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { tipContext } from "../../../src/rules/transactions/tip-context.ts";
import { orderFillTable } from "../../../src/tables/order-fills.ts";
import type { AddResult, ParsedSubmission } from "../pool/utx-pool.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Fork } from "./fork.ts";
import type { ForkView } from "./fork-view.ts";

export interface AdmissionOptions {
  readonly fork: Fork;
  readonly store: StateStore;
  /** Adds transactions to the pool of this node. */
  readonly admit: (submissions: readonly ParsedSubmission[]) => readonly AddResult[];
}

/** `UtxPool.addAll` one by one: each is in the pool before the state for the next one is fetched. */
export async function admitAll(
  submissions: readonly ParsedSubmission[],
  options: AdmissionOptions,
  nowMs: number,
): Promise<readonly AddResult[]> {
  const results: AddResult[] = [];
  for (const submission of submissions) {
    try {
      results.push(await admit(submission, options, nowMs));
    } catch (error) {
      results.push({ error });
    }
  }
  return results;
}

/** @throws RuleError, RemoteNodeError */
async function admit(
  submission: ParsedSubmission,
  { fork, store, admit: admitOne }: AdmissionOptions,
  nowMs: number,
): Promise<AddResult> {
  const { view } = fork;
  const { transaction, trace } = submission;
  checkOrders(transaction, store, view, fork.source.height);
  fork.state.assumeNew(transaction);
  return fork.attempt(async () => {
    await fork.state.prefetch(() => dryRun(transaction, view, nowMs));
    return fork.attempt(() => {
      trace?.splice(0);
      const [result] = admitOne([submission]);
      if (result === undefined) throw new Error("the pool returned no result for a transaction");
      if ("error" in result && result.error instanceof RemoteStateMissing) throw result.error;
      return result;
    });
  });
}

/** Reads everything that validating and writing the transaction reads. */
function dryRun(transaction: Transaction, view: ForkView, nowMs: number): void {
  const overlay = new OverlayView(view, { height: view.height, ...deterministicOnly() });
  const { snapshot } = applyTransaction(transaction, overlay, tipContext(view, nowMs, false));
  overlay.apply(snapshot);
  view.assertKnown(overlay.changes);
}

/**
 * Refuses orders that may have been filled before the fork, since no node returns how far. An order dated after the
 * fork's block is new.
 * @throws RuleError
 */
function checkOrders(transaction: Transaction, store: StateStore, view: ForkView, forkHeight: number): void {
  if (transaction.type !== TransactionType.Exchange) return;
  const forkTimestamp = view.findHeader(forkHeight)?.header.timestamp ?? 0n;
  for (const { id, timestamp } of [transaction.order1, transaction.order2]) {
    if (timestamp > forkTimestamp || store.find(orderFillTable, { id }) !== undefined) continue;
    const order = `the order ${encodeBase58(id)} is older than the fork's block`;
    const message = `${order}, and no node returns how far it was filled by then`;
    throw new RuleError({ code: "generic", message });
  }
}
