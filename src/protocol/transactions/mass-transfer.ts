/**
 * Type 11: up to 100 transfers of one asset.
 * @source Waves: transaction/transfer/MassTransferTransaction.scala, MassTransferTxSerializer.scala
 */

import { encodeBase58 } from "../../crypto/base58.ts";
import { Feature } from "../../network/features.ts";
import { i16, i64, list, literal, struct } from "../codec/codec.ts";
import { type MessageOf, message, optional, repeated, scalar } from "../codec/protobuf.ts";
import { checkAttachment, checkFee, checkNoOverflow, checkNotNegative } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check } from "./format-error.ts";
import { assetJson, assetText, parseAsset } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { amount, asset, publicKey, recipient, shortBytes } from "./legacy-fields.ts";
import { limits } from "./limits.ts";
import { assetBytes, assetOfBytes, messageOfRecipient, recipientMessage, recipientOf } from "./message-fields.ts";
import { parseRecipient, recipientChainId, recipientText } from "./recipient.ts";
import type { MassTransferTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const body = struct({
  head: literal(11, 1),
  sender: publicKey,
  asset,
  transfers: list(i16, struct({ recipient, amount })),
  timestamp: i64,
  fee: i64,
  attachment: shortBytes,
});

const transferMessage = message("Transfer", { recipient: optional(1, recipientMessage), amount: scalar(2, "int64") });
const massTransferData = message("MassTransferTransactionData", {
  assetId: scalar(1, "bytes"),
  transfers: repeated(2, transferMessage, limits.massTransferItems),
  attachment: scalar(3, "bytes"),
});

const transferList = json.required(
  json.list(json.object({ recipient: json.required(json.text), amount: json.required(json.long) })),
);
const attachment = json.withDefault(json.byteString, new Uint8Array(0));
const request = json.object({ assetId: json.nullable(assetText), transfers: transferList, attachment });
const unsignedRequest = json.object({ assetId: json.nullable(json.text), transfers: transferList, attachment });

export const massTransfer: TransactionFormat<MassTransferTransaction> = {
  type: TransactionType.MassTransfer,
  name: "MassTransferTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 2,
  protobufSince: 2,
  feature: Feature.MassTransfer,
  feeUnits: 1,
  checkedAssets: ({ asset }) => [asset],
  recipients: ({ transfers }) => transfers.map((item) => item.recipient),
  legacy: { 1: { prefix: [], order: "body, proofs", body } },
  data: dataForm<MassTransferTransaction, MessageOf<typeof massTransferData>>({
    number: 111,
    message: massTransferData,
    fields: (data, { chainId }) => ({
      asset: assetOfBytes("assetId", data.assetId),
      transfers: data.transfers.map((item, index) => ({
        recipient: recipientOf(`transfers[${index}].recipient`, item.recipient, chainId),
        amount: item.amount,
      })),
      attachment: data.attachment,
    }),
    data: (tx) => ({
      assetId: assetBytes(tx.asset),
      transfers: tx.transfers.map((item) => ({ recipient: messageOfRecipient(item.recipient), amount: item.amount })),
      attachment: tx.attachment,
    }),
  }),
  json: (tx) => ({
    assetId: assetJson(tx.asset),
    attachment: encodeBase58(tx.attachment),
    transferCount: tx.transfers.length,
    totalAmount: tx.transfers.reduce((sum, item) => sum + item.amount, 0n),
    transfers: tx.transfers.map((item) => ({ recipient: recipientText(item.recipient), amount: item.amount })),
  }),
  request: {
    style: "strict",
    defaultVersion: 1,
    own: json.refined(request, (own) => () => ({
      asset: own.assetId,
      transfers: own.transfers.map(parseTransfer),
      attachment: own.attachment,
    })),
    unsigned: {
      own: json.refined(unsignedRequest, (own) => () => {
        const transfers = own.transfers.map(parseTransfer);
        return { asset: parseAsset(own.assetId), transfers, attachment: own.attachment };
      }),
    },
  },
  check: (tx) => {
    const count = tx.transfers.length;
    const max = limits.massTransferItems;
    for (const item of tx.transfers) checkNotNegative(item.amount, "asset");
    checkFee(tx.fee);
    checkNoOverflow(tx.fee, ...tx.transfers.map((item) => item.amount));
    check(count <= max, () => ({ code: "malformed", message: `Number of transfers ${count} is greater than ${max}` }));
    checkAttachment(tx.attachment);
    checkChains(tx);
  },
};

function parseTransfer(item: { readonly recipient: string; readonly amount: bigint }) {
  const parsed = parseRecipient(item.recipient);
  checkNotNegative(item.amount, "asset");
  return { recipient: parsed, amount: item.amount };
}

function checkChains({ transfers, chainId }: Pick<MassTransferTransaction, "transfers" | "chainId">): void {
  const chains = transfers.map((item) => recipientChainId(item.recipient));
  check(
    chains.every((chain) => chain === chainId),
    () => ({ code: "malformed", message: `One of chain ids not match: List(${chains.join(", ")})` }),
  );
}
