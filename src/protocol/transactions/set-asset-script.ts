/**
 * Type 15: replaces the script of an asset.
 * @source Waves: transaction/assets/SetAssetScriptTransaction.scala, SetAssetScriptTxSerializer.scala
 */

import { Feature } from "../../network/features.ts";
import { i64, literal, struct, u8 } from "../codec/codec.ts";
import { type MessageOf, message, scalar } from "../codec/protobuf.ts";
import { checkFee, checkShortLength } from "./checks.ts";
import { dataForm, type JsonContext, type TransactionFormat } from "./format.ts";
import { malformed } from "./format-error.ts";
import { checkAssetScript } from "./issue.ts";
import { assetIdText, assetJson, parseAssetId, parseScript, scriptJson } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { assetId, publicKey, script } from "./legacy-fields.ts";
import { assetIdOfBytes, scriptBytes, scriptOfBytes } from "./message-fields.ts";
import { checkScript } from "./script-header.ts";
import type { Script, SetAssetScriptTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const body = struct({
  head: literal(15, 1),
  chainId: u8,
  sender: publicKey,
  asset: assetId,
  fee: i64,
  timestamp: i64,
  script,
});

const setAssetScriptData = message(
  "SetAssetScriptTransactionData",
  { assetId: scalar(1, "bytes"), script: scalar(2, "bytes") },
  { unknown: "refuse" },
);

const request = json.object({ assetId: json.required(assetIdText), script: json.nullable(json.text) });
const unsignedRequest = json.object({ assetId: json.required(json.text), script: json.nullable(json.text) });

export const setAssetScript: TransactionFormat<SetAssetScriptTransaction> = {
  type: TransactionType.SetAssetScript,
  name: "SetAssetScriptTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 2,
  protobufSince: 2,
  feature: Feature.SmartAssets,
  feeUnits: 996,
  checkedAssets: ({ asset }) => [asset],
  legacy: { 1: { prefix: [0], order: "body, proofs", body } },
  data: dataForm<SetAssetScriptTransaction, MessageOf<typeof setAssetScriptData>>({
    number: 115,
    message: setAssetScriptData,
    fields: (data) => ({ asset: assetIdOfBytes("assetId", data.assetId), script: scriptOfBytes(data.script) }),
    data: (tx) => ({ assetId: tx.asset, script: scriptBytes(tx.script) }),
  }),
  chainIdLastInVersion: 1,
  json: (tx) => ({ assetId: assetJson(tx.asset), script: scriptJson(tx.script) }),
  request: {
    style: "strict",
    defaultVersion: 1,
    own: json.refined(request, (own) => (context) => ({
      asset: own.assetId,
      script: parseWrittenScript(own.script, context),
    })),
    unsigned: {
      own: json.refined(unsignedRequest, (own) => (context) => {
        const script = parseWrittenScript(own.script, context);
        return { asset: parseAssetId(own.assetId), script };
      }),
    },
  },
  check: (tx) => {
    checkFee(tx.fee);
    if (tx.script === null) throw malformed("Cannot set empty script");
    checkScript(tx.script);
    checkAssetScript(tx.script);
    if (tx.version === 1) checkShortLength(tx.script.length);
  },
};

function parseWrittenScript(base64: string | null, { writtenScript }: JsonContext): Script | null {
  return base64 === null || base64 === "" ? null : writtenScript(parseScript(base64));
}
