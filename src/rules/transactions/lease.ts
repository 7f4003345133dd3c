/** Lease of WAVES to a generator. @source Waves: state/diffs/DiffsCommon.scala (processLease) */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { LeaseId, LeaseTransaction, Recipient, TransactionId } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { resolveRecipient } from "./checks/recipients.ts";
import { balancesAfter, combineAllPortfolios, emptyPortfolio, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError aliasUnknown, leaseToSelf, leaseExists, leaseExceedsBalance, sumOverflow */
export function applyLease(transaction: LeaseTransaction, view: StateView): Snapshot {
  const { id } = transaction;
  const leaseId = id as Uint8Array as LeaseId;
  return applyLeaseOf({ ...transaction, account: senderAddress(transaction), leaseId, transactionId: id }, view);
}

/** Lease by a transaction or a dApp. */
export interface LeaseOf {
  readonly account: Address;
  readonly sender: PublicKey;
  readonly recipient: Recipient;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly leaseId: LeaseId;
  readonly transactionId: TransactionId;
}

/** @throws RuleError as `applyLease` */
export function applyLeaseOf(lease: LeaseOf, view: StateView): Snapshot {
  const { account, sender, fee, amount, leaseId } = lease;
  const recipient = resolveRecipient(lease.recipient, view);
  if (equalBytes(recipient, account)) throw new RuleError({ code: "leaseToSelf" });
  if (view.findLease(leaseId) !== undefined) throw new RuleError({ code: "leaseExists", leaseId });
  const { out: leased } = view.leaseBalance(account);
  const balance = view.balance(account, null);
  // Before feature 16 the lease may use the fee's own WAVES; the balance check at the end then refuses it.
  const required = view.has(Feature.SynchronousCalls) ? amount + fee : amount;
  if (balance - leased < required) throw new RuleError({ code: "leaseExceedsBalance", balance, leased, required });
  const changes = combineAllPortfolios(
    portfoliosOf(account, { ...emptyPortfolio, waves: -fee, leaseOut: amount }),
    portfoliosOf(recipient, { ...emptyPortfolio, leaseIn: amount }),
  );
  return {
    ...balancesAfter(changes, view),
    newLeases: [{ leaseId, sender, recipient, amount, originTransactionId: lease.transactionId }],
  };
}
