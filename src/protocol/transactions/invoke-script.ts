/**
 * Type 16: calls a function of a script.
 * @source Waves: transaction/smart/InvokeScriptTransaction.scala, InvokeScriptTxSerializer.scala,
 *   InvokeScriptTxValidator.scala
 */

import { Feature } from "../../network/features.ts";
import { ByteReader } from "../codec/byte-reader.ts";
import { type Codec, encode, exact, i16, i64, list, literal, option, sized, struct, u8 } from "../codec/codec.ts";
import { encodeMessage, type MessageOf, message, optional, repeated, scalar } from "../codec/protobuf.ts";
import { utf8SizeBytes } from "../codec/utf8.ts";
import type { Asset } from "./asset.ts";
import { checkFee, checkPositive, checkSameChain } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check, FormatError } from "./format-error.ts";
import {
  defaultFunction,
  functionCall,
  functionCallJson,
  functionCallRequest,
  writtenCallRequest,
} from "./function-call.ts";
import { assetJson, assetText, parseAsset } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { amount, asset, proofs, publicKey, recipient } from "./legacy-fields.ts";
import { limits } from "./limits.ts";
import {
  amountMessage,
  amountOf,
  assetOfBytes,
  messageOfRecipient,
  recipientMessage,
  recipientOf,
} from "./message-fields.ts";
import { parseRecipient, recipientChainId, recipientText } from "./recipient.ts";
import type { FunctionCall, InvokeScriptTransaction, Payment, TransactionFields } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const payment: Codec<Payment> = sized(i16, struct({ amount, asset }));
const optionalCall: Codec<FunctionCall | null> = option(functionCall);
const callByte = 1;
const body = struct({
  head: literal(16, 1),
  chainId: u8,
  sender: publicKey,
  dApp: recipient,
  call: exact(optionalCall),
  payments: list(i16, payment),
  fee: i64,
  feeAsset: asset,
  timestamp: i64,
});

const invokeScriptData = message(
  "InvokeScriptTransactionData",
  {
    dApp: optional(1, recipientMessage),
    functionCall: scalar(2, "bytes"),
    payments: repeated(3, amountMessage, limits.payments),
  },
  { unknown: "refuse" },
);
type InvokeScriptData = MessageOf<typeof invokeScriptData>;

const paymentList = json.list(
  json.object({ amount: json.required(json.long), assetId: json.withDefault(assetText, null) }),
);
const request = json.object({
  chainId: json.nullable(json.byte),
  feeAssetId: json.nullable(assetText),
  dApp: json.required(json.text),
  call: json.nullable(functionCallRequest),
  payment: json.nullable(paymentList),
});
const unsignedRequest = json.object({
  chainId: json.nullable(json.byte),
  feeAssetId: json.nullable(json.text),
  call: json.nullable(writtenCallRequest),
  payment: json.required(paymentList),
  dApp: json.required(json.text),
});

export const invokeScript: TransactionFormat<InvokeScriptTransaction> = {
  type: TransactionType.InvokeScript,
  name: "InvokeScriptTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 2,
  protobufSince: 2,
  feature: Feature.Ride4DApps,
  feeUnits: 5,
  paysInAssets: true,
  checkedAssets: ({ payments }) => payments.map(({ asset }) => asset),
  callsDApps: true,
  failsLate: true,
  legacy: { 1: { prefix: [0], order: "body, proofs", body } },
  data: dataForm<InvokeScriptTransaction, InvokeScriptData>({
    number: 116,
    message: invokeScriptData,
    fields: (data, { chainId }) => ({
      dApp: recipientOf("dApp", data.dApp, chainId),
      call: readCall(data.functionCall),
      payments: data.payments.map((each, index) => ({
        amount: each.amount,
        asset: assetOfBytes(`payments[${index}].assetId`, each.assetId),
      })),
    }),
    data: invokeData,
  }),
  json: (tx) => ({
    dApp: recipientText(tx.dApp),
    payment: tx.payments.map((each) => ({ amount: each.amount, assetId: assetJson(each.asset) })),
    call: functionCallJson(tx.call),
  }),
  request: {
    style: "strict",
    defaultVersion: 2,
    own: json.refined(request, (own) => ({ statedVersion }) => {
      const dApp = parseRecipient(own.dApp);
      // The reference fails when it compares the call with one of the default function without arguments.
      if (own.call?.function === defaultFunction) {
        throw new FormatError({ code: "unknownType", type: TransactionType.InvokeScript, version: statedVersion });
      }
      return {
        dApp,
        call: own.call,
        payments: (own.payment ?? []).map(paymentOf),
        feeAsset: own.feeAssetId,
        // A given chain id has already been compared with the network's.
        chainId: own.chainId === null ? recipientChainId(dApp) : own.chainId & 0xff,
      };
    }),
    unsigned: {
      own: json.refined(unsignedRequest, (own) => ({ chainId }) => ({
        dApp: parseRecipient(own.dApp),
        call: own.call,
        payments: own.payment.map(paymentOf),
        feeAsset: parseAsset(own.feeAssetId),
        chainId: own.chainId === null ? chainId : own.chainId & 0xff,
      })),
    },
  },
  check: (tx) => {
    checkFee(tx.fee);
    checkSameChain(recipientChainId(tx.dApp), tx.chainId);
    check((tx.call?.args.length ?? 0) <= limits.invokeArguments, () => ({
      code: "malformed",
      message: `InvokeScript can't have more than ${limits.invokeArguments} arguments`,
    }));
    const nameBytes = utf8SizeBytes(tx.call?.function ?? "");
    check(nameBytes <= limits.functionNameBytes, () => ({
      code: "malformed",
      message: `Callable function name size = ${nameBytes} bytes must be less than ${limits.functionNameBytes}`,
    }));
    for (const each of tx.payments) checkPositive(each.amount, each.asset ?? "Waves");
    const sizeBytes = callSizeBytes(tx);
    check(sizeBytes <= limits.invokeBytes, () => ({
      code: "malformed",
      message: `InvokeScriptTransaction bytes length = ${sizeBytes} exceeds limit = ${limits.invokeBytes}`,
    }));
  },
};

function paymentOf({ amount: paid, assetId }: { readonly amount: bigint; readonly assetId: Asset }): Payment {
  return { amount: paid, asset: assetId };
}

/** Call, or null for any first byte except one. Further bytes are ignored. */
function readCall(bytes: Uint8Array): FunctionCall | null {
  const from = new ByteReader(bytes);
  return from.u8() === callByte ? functionCall.read(from) : null;
}

function invokeData(tx: Pick<InvokeScriptTransaction, "dApp" | "call" | "payments">): InvokeScriptData {
  return {
    dApp: messageOfRecipient(tx.dApp),
    functionCall: encode(optionalCall, tx.call),
    payments: tx.payments.map((each) => amountOf(each.asset, each.amount)),
  };
}

/** Data message of a call. */
export function invokeDataBytes(call: Pick<InvokeScriptTransaction, "dApp" | "call" | "payments">): Uint8Array {
  return encodeMessage(invokeScriptData, invokeData(call));
}

/** Size for the limit: that of the data message; in version 1 that of the whole transaction. */
function callSizeBytes(tx: TransactionFields<InvokeScriptTransaction>): number {
  if (tx.version !== 1) return invokeDataBytes(tx).length;
  return 1 + encode(body, tx).length + encode(proofs, tx).length;
}
