/** Mass transfers in the list of an account that is not the sender: only the transfers to that account. */

import { addressOfPublicKey } from "../../crypto/address.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import type { MassTransferTransaction, Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { ownedAliasesQuery } from "../../read-model/alias.ts";
import type { NodeContext } from "../context.ts";

interface Item {
  readonly transaction: Transaction;
  readonly json: JsonObject;
}

/** The transactions' JSON, shortened where the account only receives. */
export async function ownTransfersJson(
  items: readonly Item[],
  account: Address,
  { model, chainId }: Pick<NodeContext, "model" | "chainId">,
): Promise<readonly JsonValue[]> {
  const isReceived = (transaction: Transaction): transaction is MassTransferTransaction =>
    transaction.type === TransactionType.MassTransfer &&
    !equalBytes(addressOfPublicKey(transaction.sender, chainId), account);
  const aliases = items
    .map(({ transaction }) => transaction)
    .filter(isReceived)
    .flatMap(({ transfers }) =>
      transfers.flatMap(({ recipient }) => (recipient.kind === "alias" ? recipient.alias.name : [])),
    );
  const owned =
    aliases.length === 0 ? new Set<string>() : (await model.read(ownedAliasesQuery(account, aliases))).values[0];
  const isOwn = ({ recipient }: MassTransferTransaction["transfers"][number]) =>
    recipient.kind === "alias" ? owned.has(recipient.alias.name) : equalBytes(recipient.address, account);
  return items.map(({ transaction, json }) => {
    if (!isReceived(transaction)) return json;
    const all = json["transfers"] as readonly JsonValue[];
    return {
      ...json,
      transfers: all.filter((_, index) =>
        isOwn(transaction.transfers[index] as (typeof transaction.transfers)[number]),
      ),
    };
  });
}
