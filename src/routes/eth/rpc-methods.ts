/**
 * Methods of Ethereum's JSON-RPC that wallets call to send transactions and to show balances.
 * @source docs/protocol/rest-api.md 3.17; Waves: api/http/eth/EthRpcRoute.scala
 */
import { publicKeyHashOf } from "../../crypto/address.ts";
import { hexText, readHex } from "../../crypto/hex.ts";
import { ApiError } from "../../http/api-error.ts";
import { formatErrorJson, refusalJson } from "../../http/errors.ts";
import type { BlockId } from "../../protocol/blocks/block.ts";
import { WireError } from "../../protocol/errors.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../../protocol/parse-json.ts";
import { gasPriceWei, parseEthereumTransaction, weiPerWavelet } from "../../protocol/transactions/ethereum.ts";
import { ethereumParts } from "../../protocol/transactions/ethereum-parts.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import type { EthereumTransaction, TransactionId } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { accountQuery } from "../../read-model/account.ts";
import { accountScriptQuery } from "../../read-model/account-script.ts";
import { assetsOfTokensQuery } from "../../read-model/asset.ts";
import { heightQuery, tipIdQuery } from "../../read-model/block.ts";
import { type StoredTransaction, transactionQuery } from "../../read-model/transaction.ts";
import { cachedScript } from "../../ride/evaluator/dapp-program.ts";
import { chainTimeMs } from "../../services/chain-time.ts";
import type { NodeContext } from "../../services/context.ts";
import { submitToPool } from "../../services/submit-to-pool.ts";
import { transactionOf } from "../json/transaction.ts";
import { callContract } from "./contract-calls.ts";
import { estimateGas } from "./gas-estimate.ts";
import { accountOf, ethereumAddress, quantity } from "./hex-values.ts";

export interface RpcMethod {
  readonly name: string;
  /** Parameter and result, for the document. */
  readonly about: string;
  /** @param parameter the first one @throws ApiError requestInvalid */
  readonly handle: (parameter: ParsedJson | undefined, node: NodeContext) => JsonValue | Promise<JsonValue>;
}

const digestBytes = 32;
const signatureBytes = 64;
/** Fixed values of the reference, for members that wallets need but Waves does not have. */
const placeholders = { transactionIndex: "0x1", nonce: "0x1", baseFeePerGas: "0x0" } as const;
const noLogs = hexText(new Uint8Array(digestBytes));

export const rpcMethods: readonly RpcMethod[] = [
  { name: "eth_chainId", about: "The byte of the chain.", handle: (_, { chainId }) => quantity(chainId) },
  { name: "net_version", about: "The same.", handle: (_, { chainId }) => quantity(chainId) },
  {
    name: "eth_blockNumber",
    about: "The height.",
    handle: async (_, { model }) => quantity((await model.read()).chain.height),
  },
  {
    name: "eth_getTransactionCount",
    about: "The time in milliseconds, which is the nonce of a transaction.",
    handle: async (_, node) => quantity(await chainTimeMs(node)),
  },
  {
    name: "eth_getBlockByNumber",
    about: "`earliest`, `latest`, `pending` or a number: `{number}`.",
    handle: async (parameter, node) => ({ number: await blockNumber(textOf(parameter), node) }),
  },
  {
    name: "eth_getBlockByHash",
    about: "Id of a block: `{baseFeePerGas}`, or null.",
    handle: async (parameter, { model }) => {
      const id = readHex(textOf(parameter));
      if (id.length !== digestBytes && id.length !== signatureBytes) return null;
      const { values } = await model.read(heightQuery(id as Uint8Array as BlockId));
      return values[0] === undefined ? null : { baseFeePerGas: placeholders.baseFeePerGas };
    },
  },
  {
    name: "eth_getBalance",
    about: "Account: its WAVES in units of 10^-18.",
    handle: async (parameter, { model, chainId }) => {
      const { values } = await model.read(accountQuery(accountOf(textOf(parameter), chainId)));
      return quantity(values[0].balance * weiPerWavelet);
    },
  },
  {
    name: "eth_sendRawTransaction",
    about: "Signed transaction: its id, or the catalogue error for a refusal.",
    handle: (parameter, node) => send(readHex(textOf(parameter)), node),
  },
  {
    name: "eth_getTransactionReceipt",
    about: "Id of a transaction: its receipt, or null.",
    handle: (parameter, node) => foundJson(textOf(parameter), node, receiptJson),
  },
  {
    name: "eth_getTransactionByHash",
    about: "Id of a transaction: the transaction, or null.",
    handle: (parameter, node) => foundJson(textOf(parameter), node, sentJson),
  },
  {
    name: "eth_call",
    about: "`{to, data}`: `symbol`, `decimals` or `balanceOf` of an asset.",
    handle: (parameter, node) => callContract(objectOf(parameter), node),
  },
  {
    name: "eth_estimateGas",
    about: "`{to, value, data}`: the minimum fee, wavelets, or an error of the catalogue.",
    handle: (parameter, node) => estimateGas(objectOf(parameter), node),
  },
  { name: "eth_gasPrice", about: "10 gwei.", handle: () => quantity(gasPriceWei) },
  {
    name: "eth_getCode",
    about: "Account: `0xff` for a dApp and for an asset, else `0x`.",
    handle: async (parameter, { model, chainId }) => {
      const address = ethereumAddress(textOf(parameter));
      const { values } = await model.read(
        accountScriptQuery(accountOf(textOf(parameter), chainId)),
        assetsOfTokensQuery([address]),
      );
      const [account, [asset]] = values;
      const isDApp = account !== undefined && cachedScript(account.script).content === "dApp";
      return isDApp || asset !== undefined ? "0xff" : "0x";
    },
  },
];

const methodsByName: ReadonlyMap<ParsedJson | undefined, RpcMethod> = new Map(
  rpcMethods.map((method) => [method.name, method]),
);

/** Undefined: there is no such method. */
export function findRpcMethod(name: ParsedJson | undefined): RpcMethod | undefined {
  return methodsByName.get(name);
}

function parameterMissing(): ApiError {
  return new ApiError({ code: "requestInvalid", message: "Error extracting required parameter" });
}

function textOf(parameter: ParsedJson | undefined): string {
  if (typeof parameter !== "string") throw parameterMissing();
  return parameter;
}

function objectOf(parameter: ParsedJson | undefined): ParsedObject {
  if (!isJsonObject(parameter)) throw parameterMissing();
  return parameter;
}

/** The height for a tag; a number is returned as it is. */
async function blockNumber(text: string, { model }: NodeContext): Promise<string | null> {
  switch (text) {
    case "earliest":
      return quantity(1);
    case "latest":
      return quantity((await model.read()).chain.height);
    case "pending":
      return null;
    default: {
      // The first two characters are skipped, whatever they are.
      const [digits] = /^[+-]?[0-9a-f]+$/i.exec(text.slice(2)) ?? [];
      const number = digits === undefined ? Number.NaN : Number.parseInt(digits, 16);
      // False for NaN, and for numbers of more than 32 bits.
      if ((number | 0) === number) return quantity(number);
      throw new ApiError({ code: "requestInvalid", message: "Request parameter is not number nor supported tag" });
    }
  }
}

/** @throws ApiError requestInvalid: the bytes are not a transaction */
async function send(bytes: Uint8Array, node: NodeContext): Promise<JsonValue> {
  let transaction: EthereumTransaction;
  try {
    transaction = parseEthereumTransaction(bytes, node.chainId);
    // Nodes relay its shortest form: a transaction that none of them could parse is not submitted.
    ethereumParts(transaction.ethereumBytes, { isRecord: false });
  } catch (error) {
    if (error instanceof FormatError) return formatErrorJson(error.violation);
    if (error instanceof WireError) throw new ApiError({ code: "requestInvalid", message: error.message });
    throw error;
  }
  const result = await submitToPool(transaction, { isTraced: false }, node);
  return result.accepted ? hexText(transaction.id) : refusalJson(result.violation, transactionJson(transaction));
}

interface FoundTransaction {
  readonly transaction: EthereumTransaction;
  readonly stored: StoredTransaction;
  /** Block of every transaction according to the reference. */
  readonly tipId: BlockId;
}

/** null: the chain has no such transaction, or it is not from an Ethereum wallet. */
async function foundJson(
  hash: string,
  { model, chainId }: NodeContext,
  show: (found: FoundTransaction) => JsonObject,
): Promise<JsonObject | null> {
  const id = readHex(hash);
  if (id.length !== digestBytes) return null;
  const { values } = await model.read(transactionQuery(id as Uint8Array as TransactionId), tipIdQuery);
  const [stored, tipId] = values;
  if (stored === undefined || tipId === undefined) return null;
  const transaction = transactionOf(stored, chainId);
  return transaction?.type === TransactionType.Ethereum ? show({ transaction, stored, tipId }) : null;
}

function receiptJson({ transaction, stored, tipId }: FoundTransaction): JsonObject {
  const fee = quantity(transaction.fee);
  return {
    transactionHash: hexText(transaction.id),
    transactionIndex: placeholders.transactionIndex,
    blockHash: hexText(tipId),
    blockNumber: quantity(stored.height),
    from: hexText(publicKeyHashOf(transaction.sender)),
    to: hexText(transaction.to),
    cumulativeGasUsed: fee,
    gasUsed: fee,
    contractAddress: null,
    logs: [],
    logsBloom: noLogs,
    status: stored.status === "succeeded" ? "0x1" : "0x0",
  };
}

function sentJson({ transaction, stored, tipId }: FoundTransaction): JsonObject {
  const fee = quantity(transaction.fee);
  return {
    hash: hexText(transaction.id),
    nonce: placeholders.nonce,
    blockHash: hexText(tipId),
    blockNumber: quantity(stored.height),
    transactionIndex: placeholders.transactionIndex,
    from: hexText(publicKeyHashOf(transaction.sender)),
    to: hexText(transaction.to),
    value: "0x10",
    gasPrice: fee,
    gas: fee,
    input: "0x20",
    v: "0x30",
    standardV: "0x40",
    r: "0x50",
    raw: "0x60",
    publickey: hexText(transaction.senderKey),
  };
}
