/**
 * Type 8: leases WAVES to another account.
 * @source Waves: transaction/lease/LeaseTransaction.scala, LeaseTxSerializer.scala
 */

import { addressOfPublicKey } from "../../crypto/address.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import { Feature } from "../../network/features.ts";
import { i64, literal, struct } from "../codec/codec.ts";
import { type MessageOf, message, optional, scalar } from "../codec/protobuf.ts";
import { checkFee, checkNoOverflow, checkPositive, checkSameChain } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check } from "./format-error.ts";
import * as json from "./json-reader.ts";
import { amount, publicKey, recipient } from "./legacy-fields.ts";
import { messageOfRecipient, recipientMessage, recipientOf } from "./message-fields.ts";
import { parseRecipient, recipientChainId, recipientText } from "./recipient.ts";
import type { LeaseTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const fields = { sender: publicKey, recipient, amount, fee: i64, timestamp: i64 };

const leaseData = message(
  "LeaseTransactionData",
  { recipient: optional(1, recipientMessage), amount: scalar(2, "int64") },
  { unknown: "refuse" },
);

const request = json.object({ recipient: json.required(json.text), amount: json.required(json.long) });

export const lease: TransactionFormat<LeaseTransaction> = {
  type: TransactionType.Lease,
  name: "LeaseTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  versionFeatures: { 2: Feature.SmartAccounts },
  feeUnits: 1,
  recipients: (tx) => [tx.recipient],
  legacy: {
    1: { prefix: [], order: "body, signature", body: struct({ head: literal(8), ...fields }) },
    // The third byte is the asset: only the native token can be leased.
    2: { prefix: [0], order: "body, proofs", body: struct({ head: literal(8, 2, 0), ...fields }) },
  },
  chainIdOf: (tx) => (tx.recipient === undefined ? undefined : recipientChainId(tx.recipient)),
  data: dataForm<LeaseTransaction, MessageOf<typeof leaseData>>({
    number: 108,
    message: leaseData,
    fields: (data, { chainId }) => ({
      recipient: recipientOf("recipient", data.recipient, chainId),
      amount: data.amount,
    }),
    data: (tx) => ({ recipient: messageOfRecipient(tx.recipient), amount: tx.amount }),
  }),
  json: (tx) => ({ amount: tx.amount, recipient: recipientText(tx.recipient) }),
  request: {
    style: "lenient",
    defaultVersion: 1,
    own: json.refined(request, (own) => () => {
      const parsed = parseRecipient(own.recipient);
      return { recipient: parsed, amount: own.amount, chainId: recipientChainId(parsed) };
    }),
  },
  check: (tx) => {
    checkFee(tx.fee);
    checkPositive(tx.amount, "waves");
    checkNoOverflow(tx.amount, tx.fee);
    check(!isOwn(tx), () => ({ code: "transferToSelf" }));
    checkSameChain(recipientChainId(tx.recipient), tx.chainId);
  },
};

function isOwn({
  sender,
  recipient: to,
  chainId,
}: Pick<LeaseTransaction, "sender" | "recipient" | "chainId">): boolean {
  return to.kind === "address" && equalBytes(to.address, addressOfPublicKey(sender, chainId));
}
