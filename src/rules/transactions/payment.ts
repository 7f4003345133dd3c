/** Payment: the transfer of mainnet's first years. @source Waves: state/diffs/PaymentTransactionDiff.scala */
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { PaymentTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { balancesAfter, combineAllPortfolios, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError paymentNotAllowed, sumOverflow */
export function applyPayment(transaction: PaymentTransaction, view: StateView): Snapshot {
  const { recipient, amount, fee } = transaction;
  const lastHeight = view.settings.functionality.blockVersion3AfterHeight;
  if (view.height > lastHeight) throw new RuleError({ code: "paymentNotAllowed", height: view.height, lastHeight });
  const changes = combineAllPortfolios(
    portfoliosOf(recipient, portfolioOf(null, amount)),
    portfoliosOf(senderAddress(transaction), portfolioOf(null, -amount - fee)),
  );
  return balancesAfter(changes, view);
}
