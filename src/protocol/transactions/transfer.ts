/**
 * Type 4: transfer of any asset.
 * @source Waves: transaction/transfer/TransferTransaction.scala, TransferTxSerializer.scala
 */

import { encodeBase58 } from "../../crypto/base58.ts";
import { Feature } from "../../network/features.ts";
import { i64, literal, struct } from "../codec/codec.ts";
import { type MessageOf, message, optional, scalar } from "../codec/protobuf.ts";
import { checkAttachment, checkFee, checkPositive, checkSameChain } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { assetJson, assetText } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { amount, asset, publicKey, recipient, shortBytes } from "./legacy-fields.ts";
import {
  amountMessage,
  amountOf,
  assetOfBytes,
  messageOfRecipient,
  present,
  recipientMessage,
  recipientOf,
} from "./message-fields.ts";
import { parseRecipient, recipientChainId, recipientText } from "./recipient.ts";
import type { TransferTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const fields = {
  sender: publicKey,
  asset,
  feeAsset: asset,
  timestamp: i64,
  amount,
  fee: i64,
  recipient,
  attachment: shortBytes,
};

const transferData = message(
  "TransferTransactionData",
  { recipient: optional(1, recipientMessage), amount: optional(2, amountMessage), attachment: scalar(3, "bytes") },
  { unknown: "refuse" },
);
export type TransferData = MessageOf<typeof transferData>;

const request = json.object({
  recipient: json.required(json.text),
  assetId: json.nullable(assetText),
  amount: json.required(json.long),
  feeAssetId: json.nullable(assetText),
  attachment: json.nullable(json.byteString),
});

export const transfer: TransactionFormat<TransferTransaction> = {
  type: TransactionType.Transfer,
  name: "TransferTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  versionFeatures: { 2: Feature.SmartAccounts },
  feeUnits: 1,
  paysInAssets: true,
  checkedAssets: ({ asset }) => [asset],
  recipients: (tx) => [tx.recipient],
  legacy: {
    1: { prefix: [4], order: "signature, body", body: struct({ head: literal(4), ...fields }) },
    2: { prefix: [0], order: "body, proofs", body: struct({ head: literal(4, 2), ...fields }) },
  },
  chainIdOf: (tx) => (tx.recipient === undefined ? undefined : recipientChainId(tx.recipient)),
  data: dataForm<TransferTransaction, TransferData>({
    number: 104,
    message: transferData,
    fields: (data, { chainId, networkChainId }) => {
      const sent = present("amount", data.amount);
      // The reference treats the transfer as one of its network, and the recipient as one of the message's chain.
      checkSameChain(chainId, networkChainId);
      return {
        recipient: recipientOf("recipient", data.recipient, chainId),
        asset: assetOfBytes("amount.assetId", sent.assetId),
        amount: sent.amount,
        attachment: data.attachment,
      };
    },
    data: (tx) => ({
      recipient: messageOfRecipient(tx.recipient),
      amount: amountOf(tx.asset, tx.amount),
      attachment: tx.attachment,
    }),
  }),
  json: (tx) => ({
    recipient: recipientText(tx.recipient),
    assetId: assetJson(tx.asset),
    feeAsset: assetJson(tx.feeAsset),
    amount: tx.amount,
    attachment: encodeBase58(tx.attachment),
  }),
  request: {
    style: "lenient",
    defaultVersion: 1,
    own: json.refined(request, (own) => () => ({
      recipient: parseRecipient(own.recipient),
      asset: own.assetId,
      amount: own.amount,
      feeAsset: own.feeAssetId,
      attachment: own.attachment ?? new Uint8Array(0),
    })),
  },
  check: (tx) => {
    checkPositive(tx.amount, tx.asset ?? "waves");
    checkFee(tx.fee);
    checkAttachment(tx.attachment);
    checkSameChain(recipientChainId(tx.recipient), tx.chainId);
  },
};
