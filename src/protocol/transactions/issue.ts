/** Type 3: issues an asset. @source Waves: transaction/assets/IssueTransaction.scala, IssueTxSerializer.scala */

import { encodeBase58 } from "../../crypto/base58.ts";
import { i64, literal, struct, u8 } from "../codec/codec.ts";
import { type MessageOf, message, scalar } from "../codec/protobuf.ts";
import { utf8Bytes, utf8TextWithReplacements } from "../codec/utf8.ts";
import { checkAssetDescription, checkAssetName, checkFee, checkPositive, checkShortLength } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check } from "./format-error.ts";
import { parseScript, scriptJson } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { amount, flag, publicKey, script, shortBytes } from "./legacy-fields.ts";
import { limits } from "./limits.ts";
import { scriptBytes, scriptOfBytes } from "./message-fields.ts";
import { checkScript, readScriptHeader } from "./script-header.ts";
import type { IssueTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const fields = {
  sender: publicKey,
  name: shortBytes,
  description: shortBytes,
  quantity: amount,
  decimals: u8,
  reissuable: flag,
  fee: i64,
  timestamp: i64,
};

const issueData = message(
  "IssueTransactionData",
  {
    name: scalar(1, "string"),
    description: scalar(2, "string"),
    amount: scalar(3, "int64"),
    decimals: scalar(4, "int32"),
    reissuable: scalar(5, "bool"),
    script: scalar(6, "bytes"),
  },
  { unknown: "refuse" },
);

const request = json.object({
  name: json.required(json.text),
  description: json.required(json.text),
  quantity: json.required(json.long),
  decimals: json.required(json.byte),
  reissuable: json.required(json.flag),
  script: json.nullable(json.text),
});

export const issue: TransactionFormat<IssueTransaction> = {
  type: TransactionType.Issue,
  name: "IssueTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  feeUnits: 1000,
  legacy: {
    1: {
      prefix: [3],
      order: "signature, body",
      body: struct({ head: literal(3), ...fields }),
      absent: { script: null },
    },
    2: { prefix: [0], order: "body, proofs", body: struct({ head: literal(3, 2), chainId: u8, ...fields, script }) },
  },
  data: dataForm<IssueTransaction, MessageOf<typeof issueData>>({
    number: 103,
    message: issueData,
    fields: ({ name, description, amount: quantity, decimals, reissuable, script: code }) => ({
      name: utf8Bytes(name),
      description: utf8Bytes(description),
      quantity,
      decimals: (decimals << 24) >> 24,
      reissuable,
      script: scriptOfBytes(code),
    }),
    data: (tx) => ({
      name: utf8TextWithReplacements(tx.name),
      description: utf8TextWithReplacements(tx.description),
      amount: tx.quantity,
      decimals: tx.decimals,
      reissuable: tx.reissuable,
      script: scriptBytes(tx.script),
    }),
  }),
  chainIdLastInVersion: 2,
  json: (tx) => ({
    assetId: encodeBase58(tx.id),
    name: utf8TextWithReplacements(tx.name),
    quantity: tx.quantity,
    reissuable: tx.reissuable,
    decimals: tx.decimals,
    description: utf8TextWithReplacements(tx.description),
    ...(tx.version >= 2 ? { script: scriptJson(tx.script) } : {}),
  }),
  request: {
    style: "lenient",
    defaultVersion: 3,
    own: json.refined(request, (own) => (context) => ({
      ...own,
      name: utf8Bytes(own.name),
      description: utf8Bytes(own.description),
      script: own.script === null ? null : context.writtenScript(parseScript(own.script)),
    })),
  },
  check: (tx) => {
    const { decimals } = tx;
    checkFee(tx.fee);
    checkPositive(tx.quantity, "assets");
    const maxDecimals = limits.assetDecimals;
    check(decimals >= 0 && decimals <= maxDecimals, () => ({ code: "invalidDecimals", decimals, maxDecimals }));
    checkAssetName(tx.name);
    checkAssetDescription(tx.description);
    if (tx.script === null) return;
    check(tx.version > 1, () => ({ code: "malformed", message: "Script not supported" }));
    checkScript(tx.script);
    checkAssetScript(tx.script);
    if (tx.version === 2) checkShortLength(tx.script.length);
  },
};

/** Checks that the script is an expression, the only kind for assets. @throws FormatError */
export function checkAssetScript(code: Uint8Array): void {
  check(readScriptHeader(code).content !== "dApp", () => ({
    code: "malformed",
    message: "Asset can only be assigned with Expression script, not Contract",
  }));
}
