/** Type 1: initial balance of an account in the genesis block. @source Waves: transaction/GenesisTransaction.scala */

import { addressText, publicKeyHashOf } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { concatBytes, i32Bytes, i64Bytes } from "../../crypto/bytes.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { Address } from "../../crypto/identities.ts";
import { i64, literal, struct } from "../codec/codec.ts";
import { message, scalar } from "../codec/protobuf.ts";
import { checkNotNegative, checkSameChain } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { address, amount } from "./legacy-fields.ts";
import { addressOfBytes } from "./message-fields.ts";
import type { GenesisTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const body = struct({ head: literal(1), timestamp: i64, recipient: address, amount });

/** Placeholder until the signature is computed. */
const unsigned = new Uint8Array(0);

/** "Signature" and id of a genesis transaction, which has no signer: a hash of the content, twice. */
export function genesisSignature(fields: { recipient: Address; amount: bigint; timestamp: bigint }): Uint8Array {
  const { recipient, amount: wavelets, timestamp } = fields;
  const digest = blake2b256(concatBytes(i32Bytes(1), i64Bytes(timestamp), recipient, i64Bytes(wavelets)));
  return concatBytes(digest, digest);
}

export const genesis: TransactionFormat<GenesisTransaction> = {
  type: TransactionType.Genesis,
  name: "GenesisTransaction",
  signer: "nobody",
  hasVersions: false,
  maxVersion: 1,
  protobufSince: undefined,
  feature: undefined,
  feeUnits: 0,
  recipients: (tx) => [{ kind: "address", address: tx.recipient }],
  legacy: { 1: { prefix: [], order: "body", body, absent: { fee: 0n, signature: unsigned } } },
  chainIdOf: ({ recipient }) => recipient?.[1],
  derived: (tx) => ({ signature: genesisSignature(tx) }),
  id: (tx) => tx.signature,
  data: dataForm<GenesisTransaction, { recipientAddress: Uint8Array; amount: bigint }>({
    number: 101,
    message: message(
      "GenesisTransactionData",
      { recipientAddress: scalar(1, "bytes"), amount: scalar(2, "int64") },
      { unknown: "refuse" },
    ),
    fields: (data, { chainId }) => ({
      recipient: addressOfBytes("recipientAddress", data.recipientAddress, chainId),
      amount: data.amount,
      signature: unsigned,
    }),
    data: (tx) => ({ recipientAddress: publicKeyHashOf(tx.recipient), amount: tx.amount }),
  }),
  json: (tx) => ({
    signature: encodeBase58(tx.signature),
    recipient: addressText(tx.recipient),
    amount: tx.amount,
  }),
  request: undefined,
  check: (tx) => {
    checkNotNegative(tx.amount, "waves");
    checkSameChain(tx.recipient[1] as number, tx.chainId);
  },
};
