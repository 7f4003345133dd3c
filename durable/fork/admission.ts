/** How a fork's pool takes in transactions: what judging them needs is brought first. */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { OverlayView } from "../../src/rules/state/overlay-view.ts";
import { ownChoice } from "../../src/rules/state/own-choice.ts";
import { RemoteStateMissing } from "../../src/rules/state/remote-state-missing.ts";
import { applyTransaction } from "../../src/rules/transactions/apply-transaction.ts";
import { tipContext } from "../../src/rules/transactions/tip-context.ts";
import { orderFillTable } from "../../src/tables/order-fills.ts";
import type { Offered, Outcome } from "../pool/utx-pool.ts";
import type { StateStore } from "../state/state-store.ts";
import type { Fork } from "./fork.ts";
import type { ForkView } from "./fork-view.ts";

export interface AdmissionFacts {
  readonly fork: Fork;
  readonly store: StateStore;
  /** Takes transactions into the pool, as this node does. */
  readonly admit: (offers: readonly Offered[]) => readonly Outcome[];
}

/** As `UtxPool.addAll`, of all of them: each is in the pool before what the next one needs is looked for. */
export async function admitAll(
  offers: readonly Offered[],
  facts: AdmissionFacts,
  nowMs: number,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const offer of offers) {
    try {
      outcomes.push(await admit(offer, facts, nowMs));
    } catch (error) {
      outcomes.push({ error });
    }
  }
  return outcomes;
}

/** @throws RuleError, RemoteFault */
async function admit(
  offer: Offered,
  { fork, store, admit: admitOne }: AdmissionFacts,
  nowMs: number,
): Promise<Outcome> {
  const { view } = fork;
  const { transaction, trace } = offer;
  checkOrders(transaction, store, view, fork.source.height);
  fork.state.expectNew(transaction);
  return fork.attempt(async () => {
    await fork.state.foresee(() => judge(transaction, view, nowMs));
    return fork.attempt(() => {
      trace?.splice(0);
      const [outcome] = admitOne([offer]);
      if (outcome === undefined) throw new Error("the pool leaves the first of what it is offered for later");
      if ("error" in outcome && outcome.error instanceof RemoteStateMissing) throw outcome.error;
      return outcome;
    });
  });
}

/** All that judging and writing the transaction reads. */
function judge(transaction: Transaction, view: ForkView, nowMs: number): void {
  const overlay = new OverlayView(view, { height: view.height, ...ownChoice() });
  const { snapshot } = applyTransaction(transaction, overlay, tipContext(view, nowMs, false));
  overlay.apply(snapshot);
  view.expectKnown(overlay.changes);
}

/**
 * How far an order is filled no node prints. One that is dated after the fork's block is new.
 * @throws RuleError
 */
function checkOrders(transaction: Transaction, store: StateStore, view: ForkView, forkHeight: number): void {
  if (transaction.type !== TransactionType.Exchange) return;
  const forkTimestamp = view.findHeader(forkHeight)?.header.timestamp ?? 0n;
  for (const { id, timestamp } of [transaction.order1, transaction.order2]) {
    if (timestamp > forkTimestamp || store.find(orderFillTable, { id }) !== undefined) continue;
    const message = `the order ${encodeBase58(id)} is older than the block from which the fork goes on, and no node tells how far it is filled there`;
    throw new RuleError({ code: "generic", message });
  }
}
