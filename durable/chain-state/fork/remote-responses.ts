/**
 * Responses of a node's interface that a fork uses, with the members that it reads. Integers keep all digits.
 * @source docs/protocol/rest-api.md 3
 */
import * as z from "zod";
import { parseBase58 } from "../../../src/crypto/base58.ts";
import { parseBase64 } from "../../../src/crypto/base64.ts";
import { type ParsedJson, parseJson } from "../../../src/protocol/parse-json.ts";
import { dataEntryRequest } from "../../../src/protocol/transactions/data-entry.ts";
import { Refused } from "../../../src/protocol/transactions/json-reader.ts";
import type { DataEntry } from "../../../src/protocol/transactions/transaction.ts";
import { RemoteNodeError, type RemoteRequest, type RemoteResponse } from "./remote-node.ts";

/** Heights and other numbers that fit into a double. */
const count = z.bigint().transform(Number).pipe(z.int());
const base58 = z.string().transform((text, context) => {
  const bytes = parseBase58(text);
  if (bytes instanceof Uint8Array) return bytes as Uint8Array;
  context.addIssue("not base58");
  return z.NEVER;
});
/** Text with its prefix. */
const base64 = z.string().transform((text, context) => {
  const bytes = parseBase64(text);
  if (bytes instanceof Uint8Array) return bytes as Uint8Array;
  context.addIssue("not base64");
  return z.NEVER;
});

export const heightResponse = z.object({ height: count });

export const balanceDetailsResponse = z.object({
  regular: z.bigint(),
  generating: z.bigint(),
  available: z.bigint(),
  effective: z.bigint(),
});

export const balancesAtResponse = z.tuple([z.object({ balance: z.bigint() })]);

export const scriptInfoResponse = z.object({
  script: base64.nullish(),
  verifierComplexity: z.bigint(),
  publicKey: base58.nullish(),
});

export const assetBalanceResponse = z.object({ balance: z.bigint() });

export const holdingsResponse = z.object({ balances: z.array(z.object({ assetId: base58, balance: z.bigint() })) });

export const nftsResponse = z.array(z.object({ assetId: base58, issueHeight: count }));

/** Entries that exist. */
export const entriesResponse = z.array(
  z.unknown().transform((json, context): DataEntry => {
    const entry = dataEntryRequest(json as ParsedJson);
    if (!(entry instanceof Refused)) return entry;
    context.addIssue("no data entry");
    return z.NEVER;
  }),
);

export const booleanResponse = z.object({ result: z.object({ type: z.literal("Boolean"), value: z.boolean() }) });

export const assetResponse = z.object({
  assetId: base58,
  issueHeight: count,
  issuer: z.string(),
  issuerPublicKey: base58,
  name: z.string(),
  description: z.string(),
  decimals: count,
  reissuable: z.boolean(),
  quantity: z.bigint(),
  scripted: z.boolean(),
  minSponsoredAssetFee: z.bigint().nullish(),
  originTransactionId: base58,
  sequenceInBlock: count.optional(),
  scriptDetails: z.object({ scriptComplexity: z.bigint(), script: base64 }).optional(),
});

export const aliasResponse = z.object({ address: z.string() });
export const aliasesResponse = z.array(z.string());

const lease = z.object({
  id: base58,
  originTransactionId: base58,
  sender: z.string(),
  recipient: base58,
  amount: z.bigint(),
  height: count,
  status: z.enum(["active", "canceled", "expired"]),
  cancelHeight: count.nullish(),
  cancelTransactionId: base58.nullish(),
});
export type LeaseResponse = z.infer<typeof lease>;
export const leasesResponse = z.array(lease);
export const leasesFoundResponse = z.array(lease.nullable());

/** Status of a transaction; the transaction itself is parsed by `transactionFromJson`. */
export const transactionResponse = z.object({
  type: count,
  height: count,
  senderPublicKey: base58.optional(),
  applicationStatus: z.enum(["succeeded", "script_execution_failed", "elided"]).optional(),
  spentComplexity: count.optional(),
  /** RLP of an Ethereum wallet's transaction. */
  bytes: z.string().optional(),
});

/** Newest transactions of an account. */
export const newestTransactionsResponse = z.tuple([z.array(z.object({ id: z.string(), height: count }))]);

const headerFields = {
  timestamp: z.bigint(),
  reference: base58,
  "nxt-consensus": z.object({ "base-target": z.bigint(), "generation-signature": base58 }),
  features: z.array(count).optional(),
  desiredReward: z.bigint().optional(),
  generator: base58,
  generatorPublicKey: base58,
  stateHash: base58.optional(),
};

export const headerResponse = z.object({
  ...headerFields,
  version: count,
  transactionsRoot: base58.optional(),
  id: base58.optional(),
  signature: base58,
  blocksize: count,
  transactionCount: count,
  height: count,
  totalFee: z.bigint(),
  reward: z.bigint().optional(),
  rewardShares: z.record(z.string(), z.bigint()).optional(),
  VRF: base58.optional(),
});
export const headersResponse = z.array(headerResponse);
export type HeaderResponse = z.infer<typeof headerResponse>;

export const activationResponse = z.object({
  votingInterval: count,
  votingThreshold: count,
  features: z.array(
    z.object({ id: count, blockchainStatus: z.string(), activationHeight: z.bigint().transform(Number).optional() }),
  ),
});

export const genesisResponse = z.object({
  transactions: z.array(z.object({ recipient: z.string(), amount: z.bigint(), timestamp: z.bigint() })),
});

export const rewardsResponse = z.object({
  totalWavesAmount: z.bigint(),
  term: count,
  minIncrement: z.bigint(),
  votingInterval: count,
  daoAddress: z.string().nullish(),
  xtnBuybackAddress: z.string().nullish(),
});

/**
 * Parses a response.
 * @throws RemoteNodeError with a message, for an error of the catalogue or another form
 */
export function parseResponse<Answer>(
  schema: z.ZodType<Answer>,
  { path }: RemoteRequest,
  { status, text }: RemoteResponse,
): Answer {
  if (status !== 200) throw new RemoteNodeError(`the response to ${path} is an error: ${text.slice(0, 200)}`);
  const parsed = schema.safeParse(jsonOf(path, text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new RemoteNodeError(
    `the response to ${path} has an unexpected form: ${issue?.path.join(".")} ${issue?.message}`,
  );
}

/** @throws RemoteNodeError */
export function jsonOf(path: string, text: string): ParsedJson {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new RemoteNodeError(`the response to ${path} is no JSON`, { cause });
  }
}
