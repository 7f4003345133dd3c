/** Transaction of the live network as a transaction row of a node of that network. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { decodeHex } from "../../../src/crypto/hex.ts";
import { Feature, featureActivationOf } from "../../../src/network/features.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import { WireError } from "../../../src/protocol/errors.ts";
import { type JsonObject, jsonText } from "../../../src/protocol/json.ts";
import { isJsonObject, type ParsedJson } from "../../../src/protocol/parse-json.ts";
import { encodeForBlock } from "../../../src/protocol/transactions/encode-for-block.ts";
import { parseEthereumTransaction } from "../../../src/protocol/transactions/ethereum.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import type { Transaction, TransactionStatus } from "../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { omittedCallRecord, printedCallRecord } from "../../../src/ride/results/call-record.ts";
import type { TransactionRow } from "../../../src/tables/blocks.ts";
import { RemoteNodeError, type RemoteRequest, type RemoteResponse } from "./remote-node.ts";
import { jsonOf, parseResponse, transactionResponse } from "./remote-responses.ts";

const statuses = {
  succeeded: "succeeded",
  script_execution_failed: "failed",
  elided: "elided",
} as const satisfies Record<string, TransactionStatus>;

/** Longer call records are omitted: a row has limited room besides the transaction. */
const MAX_PRINTED_CHARACTERS = 600_000;

/**
 * Builds the row.
 * @param id base58
 * @returns row with position 0; the caller finds its position in the block
 * @throws RemoteNodeError: the JSON does not give the transaction of that id
 */
export function remoteTransactionRow(
  id: string,
  request: RemoteRequest,
  response: RemoteResponse,
  { chainId, functionality }: BlockchainSettings,
): TransactionRow {
  const details = parseResponse(transactionResponse, request, response);
  const { height, type, applicationStatus = "succeeded", spentComplexity = 0, bytes } = details;
  const transaction = transactionOf(request, response, chainId, bytes);
  if (transaction === undefined || encodeBase58(transaction.id) !== id)
    throw new RemoteNodeError(`the transaction ${id}, of type ${type}, cannot be rebuilt from the JSON of a node`);
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
    callRecord: callRecordOf(type, jsonOf(request.path, response.text)),
  };
}

/** Effects of a call as JSON: for an Ethereum wallet's they come with the decoded call data. */
function callRecordOf(type: number, json: ParsedJson): Uint8Array | undefined {
  if (!isJsonObject(json)) return undefined;
  const { stateChanges, payload } = json;
  const isInvocation = isJsonObject(payload) && payload["type"] === "invocation";
  const record =
    type === TransactionType.InvokeScript ? { stateChanges: stateChanges ?? null } : isInvocation && payload;
  if (record === false) return undefined;
  const text = jsonText(record as JsonObject);
  return text.length <= MAX_PRINTED_CHARACTERS ? printedCallRecord(text) : omittedCallRecord;
}

/** Id of the asset that an Ethereum wallet's transaction transfers: its bytes contain the asset's Ethereum address. */
export function assetOfTransfer(request: RemoteRequest, response: RemoteResponse): string | undefined {
  const json = jsonOf(request.path, response.text);
  const payload = isJsonObject(json) ? json["payload"] : undefined;
  const asset = isJsonObject(payload) ? payload["asset"] : undefined;
  return typeof asset === "string" ? asset : undefined;
}

/** Undefined: a kind that cannot be sent over the interface, or one made under earlier rules. */
function transactionOf(
  { path }: RemoteRequest,
  { text }: RemoteResponse,
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
