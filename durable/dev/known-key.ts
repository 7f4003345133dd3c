/** The public key of an account that is named by its address: only what the account has done tells it. */
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Address, PublicKey } from "../../src/crypto/identities.ts";
import { hasProofs } from "../../src/protocol/transactions/signer.ts";
import { senderAddress } from "../../src/rules/transactions/sender-address.ts";
import { transactionTable } from "../../src/tables/blocks.ts";
import { bindCell } from "../../src/tables/schema/cell.ts";
import type { Node } from "../node.ts";

/** Of the account's transactions so many are looked at: most accounts send one among their first. */
const MOST_TRANSACTIONS = 200;

/** @returns undefined where neither its script, nor the wallet, nor one of its first transactions tells it */
export function findPublicKey(
  address: Address,
  { chain, wallet, store }: Pick<Node, "chain" | "wallet" | "store">,
): PublicKey | undefined {
  const known = chain.view.findAccountScript(address)?.publicKey ?? wallet?.find(address)?.publicKey;
  if (known !== undefined) return known;
  const rows = store.query(
    transactionTable,
    `WHERE (height, position) IN (SELECT height, position FROM tx_address WHERE address = ? LIMIT ${MOST_TRANSACTIONS})`,
    bindCell(address),
  );
  for (const { id } of rows) {
    const transaction = chain.view.findTransactionBody(id);
    if (transaction === undefined || !hasProofs(transaction)) continue;
    if (equalBytes(senderAddress(transaction), address)) return transaction.sender;
  }
  return undefined;
}
