/**
 * All transaction types, with their formats and properties. A new type needs a number in `transaction-type.ts`, its
 * fields in `transaction.ts`, a file in this directory and an entry here; its effect on the state is in
 * `src/rules/transactions/`.
 */

import { burn } from "./burn.ts";
import { commitToGeneration } from "./commit-to-generation.ts";
import { createAlias } from "./create-alias.ts";
import { data } from "./data.ts";
import { ethereum } from "./ethereum.ts";
import { exchange } from "./exchange.ts";
import type { FormatTable, TransactionFormat } from "./format.ts";
import { genesis } from "./genesis.ts";
import { invokeScript } from "./invoke-script.ts";
import { issue } from "./issue.ts";
import { lease } from "./lease.ts";
import { leaseCancel } from "./lease-cancel.ts";
import { massTransfer } from "./mass-transfer.ts";
import { payment } from "./payment.ts";
import { reissue } from "./reissue.ts";
import { setAssetScript } from "./set-asset-script.ts";
import { setScript } from "./set-script.ts";
import { sponsorFee } from "./sponsor-fee.ts";
import type { Transaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";
import { transfer } from "./transfer.ts";
import { updateAssetInfo } from "./update-asset-info.ts";

export const transactionFormats: FormatTable = {
  [TransactionType.Genesis]: genesis,
  [TransactionType.Payment]: payment,
  [TransactionType.Issue]: issue,
  [TransactionType.Transfer]: transfer,
  [TransactionType.Reissue]: reissue,
  [TransactionType.Burn]: burn,
  [TransactionType.Exchange]: exchange,
  [TransactionType.Lease]: lease,
  [TransactionType.LeaseCancel]: leaseCancel,
  [TransactionType.CreateAlias]: createAlias,
  [TransactionType.MassTransfer]: massTransfer,
  [TransactionType.Data]: data,
  [TransactionType.SetScript]: setScript,
  [TransactionType.SponsorFee]: sponsorFee,
  [TransactionType.SetAssetScript]: setAssetScript,
  [TransactionType.InvokeScript]: invokeScript,
  [TransactionType.UpdateAssetInfo]: updateAssetInfo,
  [TransactionType.Ethereum]: ethereum,
  [TransactionType.CommitToGeneration]: commitToGeneration,
};

/** Format of a type known only at run time. */
export type AnyFormat = TransactionFormat<Transaction>;

/** Format of a known type. */
export function formatOf(type: TransactionType): AnyFormat {
  return transactionFormats[type] as unknown as AnyFormat;
}

/** Format of a type number from outside; undefined for unknown ones. */
export function findFormat(type: number): AnyFormat | undefined {
  return Object.hasOwn(transactionFormats, type) ? formatOf(type as TransactionType) : undefined;
}

export const allFormats: readonly AnyFormat[] = Object.values(transactionFormats) as unknown as readonly AnyFormat[];
