/** Lease of WAVES to a generator. @source Waves: state/diffs/DiffsCommon.scala (processLease) */
import { equalBytes } from "../../src/crypto/bytes.ts";
import { Feature } from "../../src/network/features.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import type { Snapshot } from "../../src/protocol/snapshots/snapshot.ts";
import type { LeaseId, LeaseTransaction } from "../../src/protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { resolveRecipient } from "./checks/recipients.ts";
import { balancesAfter, combineAllPortfolios, emptyPortfolio, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError aliasUnknown, leaseToSelf, leaseExists, leaseExceedsBalance, sumOverflow */
export function applyLease(transaction: LeaseTransaction, view: StateView): Snapshot {
  const { id, sender, fee, amount } = transaction;
  const leaseId = id as Uint8Array as LeaseId;
  const account = senderAddress(transaction);
  const recipient = resolveRecipient(transaction.recipient, view);
  if (equalBytes(recipient, account)) throw new RuleError({ code: "leaseToSelf" });
  if (view.findLease(leaseId) !== undefined) throw new RuleError({ code: "leaseExists", leaseId });
  const { out: leased } = view.leaseBalance(account);
  const balance = view.balance(account, null);
  // Before feature 16 the lease may take the fee's own WAVES; the balance check at the end then refuses it.
  const required = view.isActive(Feature.SynchronousCalls, view.height) ? amount + fee : amount;
  if (balance - leased < required) throw new RuleError({ code: "leaseExceedsBalance", balance, leased, required });
  const changes = combineAllPortfolios(
    portfoliosOf(account, { ...emptyPortfolio, waves: -fee, leaseOut: amount }),
    portfoliosOf(recipient, { ...emptyPortfolio, leaseIn: amount }),
  );
  return {
    ...balancesAfter(changes, view),
    newLeases: [{ leaseId, sender, recipient, amount, originTransactionId: id }],
  };
}
