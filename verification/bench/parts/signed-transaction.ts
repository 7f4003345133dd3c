/** Transactions of the private network that benchmarks sign themselves. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { sign } from "../../../src/crypto/curve25519.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type {
  AuthorizedTransaction,
  Transaction,
  TransactionFields,
} from "../../../src/protocol/transactions/transaction.ts";
import { richKey } from "../../../test/support/builders/signed-transfer.ts";
import type { NativeAccount } from "./native-signer.ts";

const { chainId } = privateNetwork.blockchain;

/** Type-specific fields of a transaction. */
export type Unsigned<T extends AuthorizedTransaction = AuthorizedTransaction> = T extends AuthorizedTransaction
  ? Omit<TransactionFields<T>, "sender" | "proofs" | "chainId" | "timestamp" | "feeAsset">
  : never;

/** Account that owns all WAVES of the private network. */
export const richAccount: NativeAccount = {
  ...richKey,
  address: addressOfPublicKey(richKey.publicKey, chainId),
  sign: (message) => sign(richKey.privateKey, message, secureRandomBytes(64)),
};

/** @param timestampMs equal fields with equal times make the same transaction */
export function signedTransaction(sender: NativeAccount, given: Unsigned, timestampMs: number): Transaction {
  const fields = {
    feeAsset: null,
    ...given,
    chainId,
    timestamp: BigInt(timestampMs),
    sender: sender.publicKey,
    proofs: [],
  } as TransactionFields<AuthorizedTransaction>;
  const { bodyBytes } = buildTransaction(fields);
  return buildTransaction({ ...fields, proofs: [sender.sign(bodyBytes)] });
}
