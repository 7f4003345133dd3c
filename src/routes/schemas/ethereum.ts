/** Requests and responses of Ethereum's tools. @source docs/protocol/rest-api.md 2.7, 3.17 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { rpcMethods } from "../eth/rpc-methods.ts";

const hex = named("Hex", () => z.string().meta({ description: "Bytes or a number in hexadecimal, after `0x`." }));

const requestId = () => z.union([int64(), z.string(), z.null()]);

/** A call of a contract, or an unsigned transaction. */
const rpcCall = () => z.object({ to: hex().optional(), value: hex().optional(), data: hex().optional() });

export const rpcRequest = named("JsonRpcRequest", () =>
  z.looseObject({
    jsonrpc: z.string().optional(),
    id: requestId().optional(),
    method: z.enum(rpcMethods.map(({ name }) => name)),
    params: z
      .array(z.union([z.string(), z.boolean(), rpcCall()]))
      .optional()
      .meta({ description: "Only the first one is used." }),
  }),
);

const receipt = named("EthereumReceipt", () =>
  z.strictObject({
    transactionHash: hex(),
    transactionIndex: hex(),
    blockHash: hex().meta({ description: "Id of the newest block." }),
    blockNumber: hex(),
    from: hex(),
    to: hex(),
    cumulativeGasUsed: hex().meta({ description: "The fee, wavelets." }),
    gasUsed: hex().meta({ description: "The fee, wavelets." }),
    contractAddress: z.null(),
    logs: z.tuple([]),
    logsBloom: hex(),
    status: z.enum(["0x1", "0x0"]),
  }),
);

const sentTransaction = named("EthereumSentTransaction", () =>
  z.strictObject({
    hash: hex(),
    nonce: hex(),
    blockHash: hex().meta({ description: "Id of the newest block." }),
    blockNumber: hex(),
    transactionIndex: hex(),
    from: hex(),
    to: hex(),
    value: hex(),
    gasPrice: hex().meta({ description: "The fee, wavelets." }),
    gas: hex().meta({ description: "The fee, wavelets." }),
    input: hex(),
    v: hex(),
    standardV: hex(),
    r: hex(),
    raw: hex(),
    publickey: hex(),
  }),
);

const rpcResult = () =>
  z.union([
    hex(),
    z.null(),
    z.strictObject({ number: hex().nullable() }),
    z.strictObject({ baseFeePerGas: hex() }),
    receipt(),
    sentTransaction(),
    z
      .looseObject({ error: int32(), message: z.string() })
      .meta({ description: "An error of the catalogue, for a refused transaction." }),
  ]);

export const rpcResponse = named("JsonRpcAnswer", () =>
  z.union([
    z.strictObject({ id: requestId(), jsonrpc: z.literal("2.0"), result: rpcResult() }),
    z.strictObject({}).meta({ description: "There is no such method." }),
  ]),
);

const abiValue = () => ({ name: z.string(), type: z.string() });

export const contractAbi = named("ContractAbi", () =>
  z.array(
    z.strictObject({
      ...abiValue(),
      constant: z.boolean(),
      payable: z.boolean(),
      stateMutability: z.string(),
      inputs: z.array(z.strictObject({ ...abiValue(), components: z.array(z.strictObject(abiValue())).optional() })),
      outputs: z.tuple([]),
    }),
  ),
);
