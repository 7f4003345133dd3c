/** Entries of the sender's data storage. @source Waves: state/diffs/DataTransactionDiff.scala */

import { inHashTableOrder, textHash } from "../../protocol/hash-table-order.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { DataTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { checkDataSize } from "./checks/data-size.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError tooBig, sumOverflow */
export function applyData(transaction: DataTransaction, view: StateView): Snapshot {
  const { data, fee } = transaction;
  checkDataSize(transaction, view);
  const account = senderAddress(transaction);
  return {
    ...balancesAfter(portfoliosOf(account, portfolioOf(null, -fee)), view),
    accountData: [{ address: account, entries: inHashTableOrder(data, ({ key }) => textHash(key)) }],
  };
}
