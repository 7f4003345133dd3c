/**
 * Every type of transaction. A new type is a file beside this one and a row here; its effect on the state is in
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
import type { Transaction, TransactionType } from "./transaction.ts";
import { transfer } from "./transfer.ts";
import { updateAssetInfo } from "./update-asset-info.ts";

export const transactionFormats: FormatTable = {
  1: genesis,
  2: payment,
  3: issue,
  4: transfer,
  5: reissue,
  6: burn,
  7: exchange,
  8: lease,
  9: leaseCancel,
  10: createAlias,
  11: massTransfer,
  12: data,
  13: setScript,
  14: sponsorFee,
  15: setAssetScript,
  16: invokeScript,
  17: updateAssetInfo,
  18: ethereum,
  19: commitToGeneration,
};

/** A format of which only the number of its type is known. */
export type AnyFormat = TransactionFormat<Transaction>;

/** The row of a type that is known to exist. */
export function formatOf(type: TransactionType): AnyFormat {
  return transactionFormats[type] as unknown as AnyFormat;
}

/** The row of a number that came from outside. */
export function findFormat(type: number): AnyFormat | undefined {
  return Object.hasOwn(transactionFormats, type) ? formatOf(type as TransactionType) : undefined;
}

export const allFormats: readonly AnyFormat[] = Object.values(transactionFormats) as unknown as readonly AnyFormat[];
