/** Cancellation of a lease. @source Waves: state/diffs/DiffsCommon.scala (processLeaseCancel) */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { LeaseCancelTransaction, LeaseId, TransactionId } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";
import { balancesAfter, combineAllPortfolios, emptyPortfolio, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError leaseUnknown, leaseNotActive, leaseOfOtherSender, sumOverflow */
export function applyLeaseCancel(
  transaction: LeaseCancelTransaction,
  view: StateView,
  { blockTimestamp }: BlockContext,
): Snapshot {
  const cancel = { ...transaction, account: senderAddress(transaction), transactionId: transaction.id };
  return applyLeaseCancelOf(cancel, view, () => blockTimestamp);
}

/** Cancellation of a lease by a transaction or a dApp. */
export interface LeaseCancelOf {
  readonly account: Address;
  readonly sender: PublicKey;
  readonly leaseId: LeaseId;
  readonly fee: bigint;
  readonly transactionId: TransactionId;
}

/** @throws RuleError as `applyLeaseCancel` */
export function applyLeaseCancelOf(cancel: LeaseCancelOf, view: StateView, blockTimestamp: () => bigint): Snapshot {
  const { account, leaseId, sender, fee, transactionId } = cancel;
  const lease = view.findLease(leaseId);
  if (lease === undefined) throw new RuleError({ code: "leaseUnknown", leaseId });
  // Until 2018 a lease could be cancelled repeatedly, and by other accounts; the balances of that time depend on it.
  const allowedUntil = view.settings.functionality.lastTimeBasedForkParameter;
  if (lease.status !== "active" && blockTimestamp() > allowedUntil) {
    throw new RuleError({ code: "leaseNotActive", leaseId });
  }
  if (!equalBytes(lease.sender, sender) && blockTimestamp() >= allowedUntil) {
    throw new RuleError({ code: "leaseOfOtherSender", leaseId, blockTimestamp: blockTimestamp(), allowedUntil });
  }
  const changes = combineAllPortfolios(
    portfoliosOf(account, { ...emptyPortfolio, waves: -fee, leaseOut: -lease.amount }),
    portfoliosOf(lease.recipient, { ...emptyPortfolio, leaseIn: -lease.amount }),
  );
  return {
    ...balancesAfter(changes, view),
    cancelledLeases: [{ leaseId, cancelTransactionId: transactionId }],
  };
}
