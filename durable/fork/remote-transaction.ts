/** A transaction of the network behind a fork, as the row that a node of that network has of it. */
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { decodeHex } from "../../src/crypto/hex.ts";
import { Feature, featureActivationOf } from "../../src/network/features.ts";
import type { BlockchainSettings } from "../../src/network/settings.ts";
import { BlockVersion } from "../../src/protocol/blocks/block-version.ts";
import { WireError } from "../../src/protocol/faults.ts";
import { type JsonObject, jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, type ParsedJson } from "../../src/protocol/parse-json.ts";
import { encodeForBlock } from "../../src/protocol/transactions/encode-for-block.ts";
import { parseEthereumTransaction } from "../../src/protocol/transactions/ethereum.ts";
import { FormatError } from "../../src/protocol/transactions/format-faults.ts";
import type { Transaction, TransactionStatus } from "../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../src/protocol/transactions/transaction-from-json.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { omittedCallRecord, printedCallRecord } from "../../src/ride/results/call-record.ts";
import type { TransactionRow } from "../../src/tables/blocks.ts";
import { jsonOf, readAnswer, transactionAnswer } from "./remote-answers.ts";
import { RemoteFault, type RemoteQuestion, type RemoteReply } from "./remote-node.ts";

const statuses = {
  succeeded: "succeeded",
  script_execution_failed: "failed",
  elided: "elided",
} as const satisfies Record<string, TransactionStatus>;

/** Longer ones stand for themselves: a row has room for so much beside the transaction. */
const MAX_PRINTED_CHARACTERS = 600_000;

/**
 * @param id base58
 * @returns its place among the transactions of its block is for the caller to find
 * @throws RemoteFault: what is printed does not make the transaction of that id
 */
export function remoteTransactionRow(
  id: string,
  question: RemoteQuestion,
  reply: RemoteReply,
  { chainId, functionality }: BlockchainSettings,
): TransactionRow {
  const answer = readAnswer(transactionAnswer, question, reply);
  const { height, type, applicationStatus = "succeeded", spentComplexity = 0, bytes } = answer;
  const transaction = transactionOf(question, reply, chainId, bytes);
  if (transaction === undefined || encodeBase58(transaction.id) !== id)
    throw new RemoteFault(`the transaction ${id}, of type ${type}, cannot be made again of what nodes print of it`);
  const features = featureActivationOf(functionality.preActivatedFeatures);
  const isProtobuf = height > 1 && features.isActive(Feature.BlockV5, height);
  return {
    id: transaction.id,
    height,
    position: 0,
    type,
    status: statuses[applicationStatus],
    spentComplexity,
    bytes: encodeForBlock(transaction, isProtobuf ? BlockVersion.Protobuf : BlockVersion.Reward),
    snapshot: undefined,
    callRecord: callRecordOf(type, jsonOf(question.path, reply.text)),
  };
}

/** What a call did, as it is printed: of an Ethereum wallet's it stands with what the call data meant. */
function callRecordOf(type: number, json: ParsedJson): Uint8Array | undefined {
  if (!isJsonObject(json)) return undefined;
  const { stateChanges, payload } = json;
  const isInvocation = isJsonObject(payload) && payload["type"] === "invocation";
  const shown =
    type === TransactionType.InvokeScript ? { stateChanges: stateChanges ?? null } : isInvocation && payload;
  if (shown === false) return undefined;
  const text = jsonText(shown as JsonObject);
  return text.length <= MAX_PRINTED_CHARACTERS ? printedCallRecord(text) : omittedCallRecord;
}

/** Id of the asset that an Ethereum wallet's transaction moves: its bytes name it by its Ethereum address. */
export function assetOfTransfer(question: RemoteQuestion, reply: RemoteReply): string | undefined {
  const json = jsonOf(question.path, reply.text);
  const payload = isJsonObject(json) ? json["payload"] : undefined;
  const asset = isJsonObject(payload) ? payload["asset"] : undefined;
  return typeof asset === "string" ? asset : undefined;
}

/** Undefined: it is of a kind that nobody sends over the interface, or made by rules of another time. */
function transactionOf(
  { path }: RemoteQuestion,
  { text }: RemoteReply,
  chainId: number,
  ethereumBytes: string | undefined,
): Transaction | undefined {
  try {
    if (ethereumBytes !== undefined) return parseEthereumTransaction(decodeHex(ethereumBytes.slice(2)), chainId);
    return transactionFromJson(jsonOf(path, text), chainId);
  } catch (error) {
    if (error instanceof FormatError || error instanceof WireError) return undefined;
    throw error;
  }
}
