/** Transfer of one asset to several recipients. @source Waves: state/diffs/MassTransferTransactionDiff.scala */
import { RuleError } from "../../protocol/errors.ts";
import { addressHash, inHashTableOrder } from "../../protocol/hash-table-order.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { MassTransferTransaction } from "../../protocol/transactions/transaction.ts";
import type { StateView } from "../state/state-view.ts";
import { resolveRecipient } from "./checks/recipients.ts";
import { balancesAfter, combineAllPortfolios, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/** @throws RuleError aliasUnknown, massTransferAssetUnknown, sumOverflow */
export function applyMassTransfer(transaction: MassTransferTransaction, view: StateView): Snapshot {
  const { asset, fee, transfers } = transaction;
  const sender = senderAddress(transaction);
  const received = transfers.map(({ recipient, amount }) =>
    portfoliosOf(resolveRecipient(recipient, view), portfolioOf(asset, amount)),
  );
  const total = transfers.reduce((sum, { amount }) => sum + amount, 0n);
  const changes = combineAllPortfolios(
    portfoliosOf(sender, portfolioOf(null, -fee)),
    ...received,
    portfoliosOf(sender, portfolioOf(asset, -total)),
  );
  if (asset !== null && view.findAsset(asset) === undefined) {
    throw new RuleError({ code: "massTransferAssetUnknown", asset });
  }
  return balancesAfter(new Map(inHashTableOrder([...changes], ([, { account }]) => addressHash(account))), view);
}
