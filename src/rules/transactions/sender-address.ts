/**
 * Addresses of keys. A transaction's sender is needed many times, so its address is cached.
 * @source Waves: account/PublicKey.scala (toAddress)
 */

import { addressOfPublicKey } from "../../crypto/address.ts";
import { addressOfEthereumKey, ETHEREUM_KEY_BYTES } from "../../crypto/ethereum-key.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { Order } from "../../protocol/transactions/order.ts";
import type { GenesisTransaction, Transaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";

const addresses = new WeakMap<object, Address>();

/** Sender of the transaction; genesis transactions have none. */
export function senderAddress(transaction: Exclude<Transaction, GenesisTransaction>): Address {
  if (transaction.type === TransactionType.Ethereum) return transaction.sender;
  return memoized(transaction, () => addressOfPublicKey(transaction.sender, transaction.chainId));
}

/** Sender of the order. */
export function orderSenderAddress(order: Order): Address {
  return memoized(order, () => addressOfKey(order.sender, order.chainId));
}

function addressOfKey(key: Uint8Array, chainId: number): Address {
  return key.length === ETHEREUM_KEY_BYTES
    ? addressOfEthereumKey(key, chainId)
    : addressOfPublicKey(key as PublicKey, chainId);
}

function memoized(owner: object, make: () => Address): Address {
  const known = addresses.get(owner);
  if (known !== undefined) return known;
  const address = make();
  addresses.set(owner, address);
  return address;
}
