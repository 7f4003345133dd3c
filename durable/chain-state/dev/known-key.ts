/** Lookup of an account's public key by its address, in the traces of what the account has done. */
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Address, KeyPair, PublicKey } from "../../../src/crypto/identities.ts";
import { hasProofs } from "../../../src/protocol/transactions/signer.ts";
import { senderAddress } from "../../../src/rules/transactions/sender-address.ts";
import { transactionTable } from "../../../src/tables/blocks.ts";
import { bindCell } from "../../../src/tables/schema/cell.ts";
import type { TableView } from "../../../src/tables/view/table-view.ts";
import type { StateStore } from "../state/state-store.ts";

/** Maximum of the account's transactions to search: most accounts send one among their first. */
const MOST_TRANSACTIONS = 200;

/** Account whose keys the node has. */
export interface OwnAccount extends KeyPair {
  readonly address: Address;
}

export interface KeySources {
  readonly view: TableView;
  readonly store: Pick<StateStore, "query">;
  /** Accounts of the wallet. */
  readonly accounts: () => readonly OwnAccount[];
}

/** @returns undefined if neither the account's script, nor the wallet, nor its first transactions contain the key */
export function findPublicKey(address: Address, { view, store, accounts }: KeySources): PublicKey | undefined {
  const own = accounts().find((account) => equalBytes(account.address, address));
  const known = view.findAccountScript(address)?.publicKey ?? own?.publicKey;
  if (known !== undefined) return known;
  const rows = store.query(
    transactionTable,
    `WHERE (height, position) IN (SELECT height, position FROM tx_address WHERE address = ? LIMIT ${MOST_TRANSACTIONS})`,
    bindCell(address),
  );
  for (const { id } of rows) {
    const transaction = view.findTransactionBody(id);
    if (transaction === undefined || !hasProofs(transaction)) continue;
    if (equalBytes(senderAddress(transaction), address)) return transaction.sender;
  }
  return undefined;
}
