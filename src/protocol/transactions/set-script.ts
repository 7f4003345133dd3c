/**
 * Type 13: sets or removes the sender's script.
 * @source Waves: transaction/smart/SetScriptTransaction.scala, SetScriptTxSerializer.scala
 */

import { i64, literal, struct, u8 } from "../codec/codec.ts";
import { type MessageOf, message, scalar } from "../codec/protobuf.ts";
import { checkFee, checkShortLength } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { parseScript, scriptJson } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { publicKey, script } from "./legacy-fields.ts";
import { scriptBytes, scriptOfBytes } from "./message-fields.ts";
import { checkScript } from "./script-header.ts";
import type { SetScriptTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const body = struct({ head: literal(13, 1), chainId: u8, sender: publicKey, script, fee: i64, timestamp: i64 });

const setScriptData = message("SetScriptTransactionData", { script: scalar(1, "bytes") }, { unknown: "refuse" });

const request = json.object({ script: json.nullable(json.text) });

export const setScript: TransactionFormat<SetScriptTransaction> = {
  type: TransactionType.SetScript,
  name: "SetScriptTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 2,
  protobufSince: 2,
  // Removing a script needs no feature; setting one needs those of the script.
  feature: undefined,
  feeUnits: 10,
  legacy: { 1: { prefix: [0], order: "body, proofs", body } },
  data: dataForm<SetScriptTransaction, MessageOf<typeof setScriptData>>({
    number: 113,
    message: setScriptData,
    fields: (data) => ({ script: scriptOfBytes(data.script) }),
    data: (tx) => ({ script: scriptBytes(tx.script) }),
  }),
  chainIdLastInVersion: 1,
  json: (tx) => ({ script: scriptJson(tx.script) }),
  request: {
    style: "strict",
    defaultVersion: 1,
    own: json.refined(request, (own) => (context) => ({
      script: own.script === null || own.script === "" ? null : context.writtenScript(parseScript(own.script)),
    })),
  },
  check: (tx) => {
    checkFee(tx.fee);
    if (tx.script === null) return;
    checkScript(tx.script);
    if (tx.version === 1) checkShortLength(tx.script.length);
  },
};
