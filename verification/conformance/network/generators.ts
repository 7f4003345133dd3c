/** Generators of a network whose blocks are endorsed: who has committed, as a node tells it, and what makes accounts commit. */
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

/** A generator of a height, by its place in the list. */
export interface GeneratorInfo {
  readonly address: string;
  /** Height of the block that has shown that it contradicts itself. */
  readonly conflictHeight: number | undefined;
}

/** Of a height that is there, or of the next period. */
export async function generatorsOf(url: string, height: number): Promise<readonly GeneratorInfo[]> {
  const list = parseJson(await readText(`${url}/generators/at/${height}`)) as readonly ParsedObject[];
  return list.map(({ address, conflictHeight }) => ({
    address: String(address),
    conflictHeight: conflictHeight === undefined || conflictHeight === null ? undefined : Number(conflictHeight),
  }));
}

/**
 * Has a node's wallet sign a commitment of its account to the next period, and takes it to the node.
 * @returns what the node holds against it; undefined: it was taken
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

/** As `commitByWallet`, of an account that is on no node. */
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
  const answer = await fetch(url, { method: "POST", headers, body: typeof body === "string" ? body : jsonText(body) });
  return { isOk: answer.ok, text: await answer.text() };
}
