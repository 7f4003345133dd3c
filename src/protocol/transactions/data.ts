/**
 * Type 12: writes entries into the sender's data.
 * @source Waves: transaction/DataTransaction.scala, DataTxSerializer.scala, DataTxValidator.scala
 */

import { Feature } from "../../network/features.ts";
import { i16, i64, list, literal, struct } from "../codec/codec.ts";
import { type MessageOf, message, repeated } from "../codec/protobuf.ts";
import { utf8SizeBytes } from "../codec/utf8.ts";
import { checkFee } from "./checks.ts";
import {
  dataEntry,
  dataEntryJson,
  dataEntryMessage,
  dataEntryOf,
  dataEntryRequest,
  messageOfDataEntry,
} from "./data-entry.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check } from "./format-error.ts";
import * as json from "./json-reader.ts";
import { publicKey } from "./legacy-fields.ts";
import { limits } from "./limits.ts";
import type { DataEntry, DataTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const body = struct({
  head: literal(12, 1),
  sender: publicKey,
  data: list(i16, dataEntry),
  timestamp: i64,
  fee: i64,
});

const dataTransactionData = message("DataTransactionData", {
  data: repeated(1, dataEntryMessage, limits.dataEntries),
});

const request = json.object({ data: json.required(json.list(dataEntryRequest)) });

export const data: TransactionFormat<DataTransaction> = {
  type: TransactionType.Data,
  name: "DataTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 2,
  protobufSince: 2,
  feature: Feature.DataTransaction,
  feeUnits: 1,
  legacy: { 1: { prefix: [0], order: "body, proofs", body } },
  data: dataForm<DataTransaction, MessageOf<typeof dataTransactionData>>({
    number: 112,
    message: dataTransactionData,
    fields: (content) => ({ data: content.data.map(dataEntryOf) }),
    data: (tx) => ({ data: tx.data.map(messageOfDataEntry) }),
  }),
  json: (tx) => ({ data: tx.data.map(dataEntryJson) }),
  request: {
    style: "strict",
    defaultVersion: "required",
    own: json.refined(request, (own) => () => own),
  },
  check: (tx) => {
    checkFee(tx.fee);
    const max = limits.dataEntries;
    check(tx.data.length <= max, () => ({ code: "tooBigArray", what: "data", size: tx.data.length, max }));
    checkDataEntries(tx.data);
    check(tx.version > 1 || tx.data.every((entry) => entry.value !== null), () => ({
      code: "malformed",
      message: "Empty data is not allowed in V1",
    }));
  },
};

/** Checks the entries, but not their number. @throws FormatError tooBigArray, emptyDataKey, duplicateDataKeys */
export function checkDataEntries(entries: readonly DataEntry[]): void {
  for (const entry of entries) checkEntrySize(entry);
  const keys = new Set(entries.map((entry) => entry.key));
  check(!keys.has(""), () => ({ code: "emptyDataKey" }));
  check(keys.size === entries.length, () => ({ code: "duplicateDataKeys" }));
}

function checkEntrySize({ key, value }: DataEntry): void {
  checkSize("key", utf8SizeBytes(key), limits.dataKeyBytes);
  if (value?.type === "binary") checkSize("value", value.value.length, limits.dataValueBytes);
  if (value?.type === "string") checkSize("value", utf8SizeBytes(value.value), limits.dataValueBytes);
}

function checkSize(what: string, size: number, max: number): void {
  check(size <= max, () => ({ code: "tooBigArray", what, size, max }));
}
