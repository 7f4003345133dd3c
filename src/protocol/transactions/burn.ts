/**
 * Type 6: burns an amount of an asset.
 * @source Waves: transaction/assets/BurnTransaction.scala, BurnTxSerializer.scala
 */

import { Feature } from "../../network/features.ts";
import { i64, literal, struct, u8 } from "../codec/codec.ts";
import { type MessageOf, message, optional } from "../codec/protobuf.ts";
import { checkFee, checkNotNegative } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { assetIdText, assetJson } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { amount, assetId, publicKey } from "./legacy-fields.ts";
import { amountOf, assetIdOfBytes, present, strictAmountMessage } from "./message-fields.ts";
import type { BurnTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const fields = { sender: publicKey, asset: assetId, amount, fee: i64, timestamp: i64 };

const burnData = message(
  "BurnTransactionData",
  { assetAmount: optional(1, strictAmountMessage) },
  { unknown: "refuse" },
);

/** Reads `amount`, or `quantity` if `amount` is missing or invalid. */
const request = json.withAlternative(
  json.object({ assetId: json.required(assetIdText), amount: json.required(json.long) }),
  "amount",
  "quantity",
);

export const burn: TransactionFormat<BurnTransaction> = {
  type: TransactionType.Burn,
  name: "BurnTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  versionFeatures: { 2: Feature.SmartAccounts },
  feeUnits: 1,
  checkedAssets: ({ asset }) => [asset],
  legacy: {
    1: { prefix: [], order: "body, signature", body: struct({ head: literal(6), ...fields }) },
    2: { prefix: [0], order: "body, proofs", body: struct({ head: literal(6, 2), chainId: u8, ...fields }) },
  },
  data: dataForm<BurnTransaction, MessageOf<typeof burnData>>({
    number: 106,
    message: burnData,
    fields: (data) => {
      const burnt = present("assetAmount", data.assetAmount);
      return { asset: assetIdOfBytes("assetAmount.assetId", burnt.assetId), amount: burnt.amount };
    },
    data: (tx) => ({ assetAmount: amountOf(tx.asset, tx.amount) }),
  }),
  chainIdLastInVersion: 2,
  json: (tx) => ({ assetId: assetJson(tx.asset), amount: tx.amount }),
  request: {
    style: "lenient",
    defaultVersion: 1,
    own: json.refined(request, (own) => () => ({ asset: own.assetId, amount: own.amount })),
  },
  check: (tx) => {
    checkNotNegative(tx.amount, "assets");
    checkFee(tx.fee);
  },
};
