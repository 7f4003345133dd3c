/**
 * Type 19: commits to generate blocks in a period.
 * @source docs/protocol/consensus-and-finality.md 3.2; waves/transaction.proto
 */

import { encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import { Feature } from "../../network/features.ts";
import { type MessageOf, message, scalar } from "../codec/protobuf.ts";
import { checkFee } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import * as json from "./json-reader.ts";
import { sizedBytes } from "./message-fields.ts";
import type { CommitToGenerationTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const endorserKeyBytes = 48;
const commitmentSignatureBytes = 96;

const commitToGenerationData = message(
  "CommitToGenerationTransactionData",
  {
    generationPeriodStart: scalar(1, "uint32"),
    endorserPublicKey: scalar(2, "bytes"),
    commitmentSignature: scalar(3, "bytes"),
  },
  { unknown: "refuse" },
);

const request = json.object({
  endorserPublicKey: json.required(base58OfSize(endorserKeyBytes)),
  generationPeriodStart: json.required(json.int),
  commitmentSignature: json.required(base58OfSize(commitmentSignatureBytes)),
});

export const commitToGeneration: TransactionFormat<CommitToGenerationTransaction> = {
  type: TransactionType.CommitToGeneration,
  name: "CommitToGenerationTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 1,
  protobufSince: 1,
  feature: Feature.DeterministicFinality,
  feeUnits: 100,
  legacy: {},
  data: dataForm<CommitToGenerationTransaction, MessageOf<typeof commitToGenerationData>>({
    number: 120,
    message: commitToGenerationData,
    fields: (data) => ({
      generationPeriodStart: data.generationPeriodStart,
      endorserPublicKey: sizedBytes("endorserPublicKey", data.endorserPublicKey, endorserKeyBytes),
      commitmentSignature: sizedBytes("commitmentSignature", data.commitmentSignature, commitmentSignatureBytes),
    }),
    data: (tx) => ({
      generationPeriodStart: tx.generationPeriodStart,
      endorserPublicKey: tx.endorserPublicKey,
      commitmentSignature: tx.commitmentSignature,
    }),
  }),
  json: (tx) => ({
    endorserPublicKey: encodeBase58(tx.endorserPublicKey),
    generationPeriodStart: tx.generationPeriodStart,
    commitmentSignature: encodeBase58(tx.commitmentSignature),
  }),
  request: {
    style: "keyed",
    defaultVersion: 1,
    own: json.refined(request, (own) => () => own),
  },
  check: (tx) => checkFee(tx.fee),
};

function base58OfSize(sizeBytes: number): json.JsonRead<Uint8Array> {
  return (value) => {
    if (typeof value !== "string") return json.refuse("error.expected.jsstring");
    const content = parseBase58(value);
    if (!(content instanceof Uint8Array)) return json.refuse("error.incorrect.base58");
    return content.length === sizeBytes
      ? content
      : json.refuse(`invalid length: expected ${sizeBytes} bytes, got ${content.length}`);
  };
}
