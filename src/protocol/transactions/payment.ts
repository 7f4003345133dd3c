/** Type 2: transfer of the native token, original form. @source Waves: transaction/PaymentTransaction.scala */

import { addressText, publicKeyHashOf } from "../../crypto/address.ts";
import { type Codec, i64, literal, struct } from "../codec/codec.ts";
import { message, scalar } from "../codec/protobuf.ts";
import { checkFee, checkNoOverflow, checkPositive, checkSameChain } from "./checks.ts";
import { dataForm, type OwnFields, type TransactionFormat } from "./format.ts";
import { address, amount, publicKey } from "./legacy-fields.ts";
import { addressOfBytes } from "./message-fields.ts";
import type { PaymentTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

/** The type is 32 bits in the signed bytes, and one byte in the stored ones. */
const signedBody = bodyAfter(0, 0, 0, 2);
const storedBody = bodyAfter(2);

function bodyAfter(...head: readonly number[]): Codec<Partial<OwnFields<PaymentTransaction>>> {
  return struct({ head: literal(...head), timestamp: i64, sender: publicKey, recipient: address, amount, fee: i64 });
}

export const payment: TransactionFormat<PaymentTransaction> = {
  type: TransactionType.Payment,
  name: "PaymentTransaction",
  signer: "account",
  hasVersions: false,
  maxVersion: 1,
  protobufSince: undefined,
  feature: undefined,
  feeUnits: 1,
  recipients: (tx) => [{ kind: "address", address: tx.recipient }],
  // Two payments of mainnet's first year share an id.
  mayRepeatId: true,
  legacy: { 1: { prefix: [], order: "body, signature", body: signedBody, storedBody } },
  chainIdOf: ({ recipient }) => recipient?.[1],
  id: (tx) => tx.proofs[0] ?? new Uint8Array(0),
  data: dataForm<PaymentTransaction, { recipientAddress: Uint8Array; amount: bigint }>({
    number: 102,
    message: message(
      "PaymentTransactionData",
      { recipientAddress: scalar(1, "bytes"), amount: scalar(2, "int64") },
      { unknown: "refuse" },
    ),
    fields: (data, { chainId }) => ({
      recipient: addressOfBytes("recipientAddress", data.recipientAddress, chainId),
      amount: data.amount,
    }),
    data: (tx) => ({ recipientAddress: publicKeyHashOf(tx.recipient), amount: tx.amount }),
  }),
  json: (tx) => ({ recipient: addressText(tx.recipient), amount: tx.amount }),
  request: undefined,
  check: (tx) => {
    checkFee(tx.fee);
    checkPositive(tx.amount, "waves");
    checkNoOverflow(tx.fee, tx.amount);
    checkSameChain(tx.recipient[1] as number, tx.chainId);
  },
};
