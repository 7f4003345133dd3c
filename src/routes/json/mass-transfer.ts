/** Mass transfers in the list of a recipient: only the transfers to that account. */

import { addressOfPublicKey } from "../../crypto/address.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { type JsonValue, jsonText, RawJson } from "../../protocol/json.ts";
import type { MassTransferTransaction } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { ownedAliasesQuery } from "../../read-model/alias.ts";
import type { NodeContext } from "../../services/context.ts";
import type { PrintedTransaction } from "./transaction.ts";

/** Transactions of the list, shortened if the account is only a recipient. */
export async function withOwnTransfers(
  items: readonly PrintedTransaction[],
  account: Address,
  { model, chainId }: Pick<NodeContext, "model" | "chainId">,
): Promise<readonly PrintedTransaction[]> {
  const receivedOf = ({ transaction }: PrintedTransaction): MassTransferTransaction | undefined =>
    transaction?.type === TransactionType.MassTransfer &&
    !equalBytes(addressOfPublicKey(transaction.sender, chainId), account)
      ? transaction
      : undefined;
  const received = items.map(receivedOf);
  const aliases = received
    .flatMap((transaction, index) => (items[index]?.ownedAliases === undefined ? (transaction?.transfers ?? []) : []))
    .flatMap(({ recipient }) => (recipient.kind === "alias" ? recipient.alias.name : []));
  const queried = aliases.length === 0 ? [] : (await model.read(ownedAliasesQuery(account, aliases))).values[0];
  const owned = new Set([...queried, ...items.flatMap(({ ownedAliases }) => ownedAliases ?? [])]);
  const isOwn = ({ recipient }: MassTransferTransaction["transfers"][number]) =>
    recipient.kind === "alias" ? owned.has(recipient.alias.name) : equalBytes(recipient.address, account);
  return items.map((item, index) => {
    const transaction = received[index];
    return transaction === undefined
      ? item
      : { ...item, json: rawJsonWith(transaction, transaction.transfers.map(isOwn)) };
  });
}

/** @param isShown whether each transfer is shown */
function rawJsonWith(transaction: MassTransferTransaction, isShown: readonly boolean[]): RawJson {
  const json = transactionJson(transaction);
  const transfers = (json["transfers"] as readonly JsonValue[]).filter((_, index) => isShown[index]);
  return new RawJson(jsonText({ ...json, transfers }));
}
