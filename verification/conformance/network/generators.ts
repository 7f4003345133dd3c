/** Generators of a network with endorsed blocks: the list that a node reports, and commitments of accounts. */
import { addressText } from "../../../src/crypto/address.ts";
import { blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../../src/crypto/bls.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { type JsonObject, jsonText } from "../../../src/protocol/json.ts";
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import { feeUnitWavelets } from "../../../src/protocol/transactions/fee-units.ts";
import { proofOfPossessionMessage } from "../../../src/protocol/transactions/proof-of-possession.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { ChainWorld } from "../../chain-generator/chain-world.ts";
import type { GeneratedAccount } from "../../chain-generator/generated-accounts.ts";
import { goApiKey } from "./go-peer.ts";
import type { NetworkNode } from "./network-node.ts";
import { readText } from "./read-chain.ts";

/** A generator of a height; its index is its position in the list. */
export interface GeneratorInfo {
  readonly address: string;
  /** Height of the block that has shown a contradiction of this generator. */
  readonly conflictHeight: number | undefined;
}

/** Generators of an existing height, or of the next period. */
export async function generatorsOf(url: string, height: number): Promise<readonly GeneratorInfo[]> {
  const list = parseJson(await readText(`${url}/generators/at/${height}`)) as readonly ParsedObject[];
  return list.map(({ address, conflictHeight }) => ({
    address: String(address),
    conflictHeight: conflictHeight === undefined || conflictHeight === null ? undefined : Number(conflictHeight),
  }));
}

/**
 * Has a node's wallet sign a commitment of its account to the next period, and submits it to the node.
 * @returns the node's rejection; undefined: accepted
 */
export async function commitByWallet(
  { url, kind }: Pick<NetworkNode, "url" | "kind">,
  { address }: GeneratedAccount,
): Promise<string | undefined> {
  const apiKey = kind === "go" ? goApiKey : privateNetworkSecrets.apiKey;
  const unsigned = { type: TransactionType.CommitToGeneration, version: 1, sender: addressText(address) };
  const signed = await post(`${url}/transactions/sign`, unsigned, { "X-Api-Key": apiKey });
  if (!signed.isOk) return signed.text;
  const sent = await post(`${url}/transactions/broadcast`, signed.text);
  return sent.isOk ? undefined : sent.text;
}

/** Submits a commitment of an account outside all nodes, like `commitByWallet`. */
export async function commitByHand(
  { url }: Pick<NetworkNode, "url">,
  account: GeneratedAccount,
  periodStart: number,
  world: ChainWorld,
): Promise<string | undefined> {
  const secretKey = blsSecretKeyOf(account.privateKey);
  const endorserPublicKey = blsPublicKeyOf(secretKey);
  const transaction = world.signed(account, {
    type: TransactionType.CommitToGeneration,
    version: 1,
    fee: 100n * feeUnitWavelets,
    generationPeriodStart: periodStart,
    endorserPublicKey,
    commitmentSignature: blsSign(secretKey, proofOfPossessionMessage(endorserPublicKey, periodStart)),
  });
  const sent = await post(`${url}/transactions/broadcast`, transactionJson(transaction));
  return sent.isOk ? undefined : sent.text;
}

async function post(
  url: string,
  body: JsonObject | string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly isOk: boolean; readonly text: string }> {
  const headers = { "Content-Type": "application/json", ...more };
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : jsonText(body),
  });
  return { isOk: response.ok, text: await response.text() };
}
