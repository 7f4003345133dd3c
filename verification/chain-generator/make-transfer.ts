/** Transfers that a generated chain needs for another purpose. */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { sign } from "../../src/crypto/curve25519.ts";
import type { KeyPair, PublicKey } from "../../src/crypto/identities.ts";
import { buildTransaction } from "../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Fee of each transfer, wavelets. */
export const fee = 500_000n;

export interface TransferOptions {
  readonly key: KeyPair;
  readonly to: PublicKey;
  readonly amount: bigint;
  readonly timestamp: bigint;
  readonly random: SeededRandom;
}

/** A signed transfer of WAVES. */
export function makeTransfer({ key, to, amount, timestamp, random }: TransferOptions, chainId: number): Transaction {
  const fields = {
    type: TransactionType.Transfer,
    version: 3,
    chainId,
    sender: key.publicKey,
    recipient: { kind: "address", address: addressOfPublicKey(to, chainId) },
    asset: null,
    amount,
    feeAsset: null,
    fee,
    attachment: new Uint8Array(),
    timestamp,
  } as const;
  const { bodyBytes } = buildTransaction({ ...fields, proofs: [] });
  return buildTransaction({ ...fields, proofs: [sign(key.privateKey, bodyBytes, random.bytes(64))] });
}
