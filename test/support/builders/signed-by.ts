import { sign } from "../../../src/crypto/curve25519.ts";
import type { KeyPair } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { AuthorizedTransaction, TransactionFields } from "../../../src/protocol/transactions/transaction.ts";

/** Transaction with the account's signature as its only proof. */
export function signedBy<T extends AuthorizedTransaction>(key: KeyPair, unsigned: T): T {
  const proofs = [sign(key.privateKey, unsigned.bodyBytes, secureRandomBytes(64))];
  return buildTransaction({ ...unsigned, proofs } as TransactionFields) as T;
}

/** Transaction with the account as its sender, rebuilt and signed. */
export function signedAs<T extends AuthorizedTransaction>(key: KeyPair, plain: T): T {
  const unsigned = buildTransaction({ ...plain, sender: key.publicKey, proofs: [] } as TransactionFields);
  return signedBy(key, unsigned as unknown as T);
}
