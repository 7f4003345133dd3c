/** Type 5: reissues an asset. @source Waves: transaction/assets/ReissueTransaction.scala, ReissueTxSerializer.scala */

import { Feature } from "../../network/features.ts";
import { i64, literal, struct, u8 } from "../codec/codec.ts";
import { type MessageOf, message, optional, scalar } from "../codec/protobuf.ts";
import { checkFee, checkPositive } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { assetIdText, assetJson } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { amount, assetId, flag, publicKey } from "./legacy-fields.ts";
import { amountOf, assetIdOfBytes, present, strictAmountMessage } from "./message-fields.ts";
import type { ReissueTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const fields = { sender: publicKey, asset: assetId, quantity: amount, reissuable: flag, fee: i64, timestamp: i64 };

const reissueData = message(
  "ReissueTransactionData",
  { assetAmount: optional(1, strictAmountMessage), reissuable: scalar(2, "bool") },
  { unknown: "refuse" },
);

const request = json.object({
  assetId: json.required(assetIdText),
  quantity: json.required(json.long),
  reissuable: json.required(json.flag),
});

export const reissue: TransactionFormat<ReissueTransaction> = {
  type: TransactionType.Reissue,
  name: "ReissueTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  versionFeatures: { 2: Feature.SmartAccounts },
  feeUnits: 1000,
  laterFeeUnits: { since: Feature.BlockV5, units: 1 },
  checkedAssets: ({ asset }) => [asset],
  legacy: {
    1: { prefix: [5], order: "signature, body", body: struct({ head: literal(5), ...fields }) },
    2: { prefix: [0], order: "body, proofs", body: struct({ head: literal(5, 2), chainId: u8, ...fields }) },
  },
  data: dataForm<ReissueTransaction, MessageOf<typeof reissueData>>({
    number: 105,
    message: reissueData,
    fields: (data) => {
      const added = present("assetAmount", data.assetAmount);
      return {
        asset: assetIdOfBytes("assetAmount.assetId", added.assetId),
        quantity: added.amount,
        reissuable: data.reissuable,
      };
    },
    data: (tx) => ({ assetAmount: amountOf(tx.asset, tx.quantity), reissuable: tx.reissuable }),
  }),
  chainIdLastInVersion: 2,
  json: (tx) => ({ assetId: assetJson(tx.asset), quantity: tx.quantity, reissuable: tx.reissuable }),
  request: {
    style: "lenient",
    defaultVersion: 1,
    own: json.refined(request, ({ assetId: asset, quantity, reissuable }) => () => ({ asset, quantity, reissuable })),
  },
  check: (tx) => {
    checkFee(tx.fee);
    checkPositive(tx.quantity, "assets");
  },
};
