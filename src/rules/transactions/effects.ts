/**
 * Effect of each transaction type on the state. A type without an entry does not compile.
 * @source Waves: state/diffs/TransactionDiffer.scala (transactionSnapshot)
 */

import type { Transaction, TransactionOf } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";
import { applyBurn } from "./burn.ts";
import { applyCommitToGeneration } from "./commit-to-generation.ts";
import { applyCreateAlias } from "./create-alias.ts";
import { applyData } from "./data.ts";
import type { Effect, TransactionEffect } from "./effect.ts";
import { applyEthereum } from "./ethereum.ts";
import { applyExchange } from "./exchange.ts";
import { applyGenesis } from "./genesis.ts";
import { applyInvokeScript } from "./invoke/invoke-script.ts";
import { applyIssue } from "./issue.ts";
import { applyLease } from "./lease.ts";
import { applyLeaseCancel } from "./lease-cancel.ts";
import { applyMassTransfer } from "./mass-transfer.ts";
import { applyPayment } from "./payment.ts";
import { applyReissue } from "./reissue.ts";
import { applySetAssetScript } from "./set-asset-script.ts";
import { applySetScript } from "./set-script.ts";
import { applySponsorFee } from "./sponsor-fee.ts";
import { applyTransfer } from "./transfer.ts";
import { applyUpdateAssetInfo } from "./update-asset-info.ts";

const effects: { readonly [Type in TransactionType]: Effect<TransactionOf<Type>> } = {
  [TransactionType.Genesis]: applyGenesis,
  [TransactionType.Payment]: applyPayment,
  [TransactionType.Issue]: applyIssue,
  [TransactionType.Transfer]: applyTransfer,
  [TransactionType.Reissue]: applyReissue,
  [TransactionType.Burn]: applyBurn,
  [TransactionType.Exchange]: applyExchange,
  [TransactionType.Lease]: applyLease,
  [TransactionType.LeaseCancel]: applyLeaseCancel,
  [TransactionType.CreateAlias]: applyCreateAlias,
  [TransactionType.MassTransfer]: applyMassTransfer,
  [TransactionType.Data]: applyData,
  [TransactionType.SetScript]: applySetScript,
  [TransactionType.SponsorFee]: applySponsorFee,
  [TransactionType.SetAssetScript]: applySetAssetScript,
  [TransactionType.InvokeScript]: applyInvokeScript,
  [TransactionType.UpdateAssetInfo]: applyUpdateAssetInfo,
  [TransactionType.Ethereum]: applyEthereum,
  [TransactionType.CommitToGeneration]: applyCommitToGeneration,
};

/**
 * The transaction's own effect, without the generator's share of the fee.
 * @throws RuleError; FailedTransaction if scripts fail
 */
export function effectOf(transaction: Transaction, view: StateView, context: BlockContext): TransactionEffect {
  // The table pairs each type with its own effect; the compiler does not follow that through the lookup.
  const effect = effects[transaction.type] as Effect<Transaction>;
  const result = effect(transaction, view, context);
  return "snapshot" in result ? result : { snapshot: result };
}
