/** What a developer needs first of a private chain: where it is, its key, and who has the money. */
import { addressText } from "../../src/crypto/address.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { isJsonObject, parseJson } from "../../src/protocol/parse-json.ts";

export interface FirstAccount {
  readonly address: string;
  /** Words that its keys follow from. */
  readonly seed: string;
  /** Wavelets; undefined: the node did not tell in time. */
  readonly balance: bigint | undefined;
}

/** The read model may be a moment behind a start. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 50;

/** The accounts of the private network's genesis block with their balances, asked of the node. @param url of its interface */
export async function readFirstAccounts(url: string): Promise<readonly FirstAccount[]> {
  const addresses = privateNetwork.blockchain.genesis.transactions.map(({ recipient }) => addressText(recipient));
  const seed = privateNetworkSecrets.walletSeedText;
  return Promise.all(addresses.map(async (address) => ({ address, seed, balance: await readBalance(url, address) })));
}

async function readBalance(url: string, address: string): Promise<bigint | undefined> {
  const endMs = performance.now() + PATIENCE_MS;
  do {
    const answer = await fetch(`${url}/addresses/balance/${address}`);
    const json = answer.ok ? parseJson(await answer.text()) : undefined;
    if (isJsonObject(json) && typeof json["balance"] === "bigint") return json["balance"];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  } while (performance.now() < endMs);
  return undefined;
}

/**
 * The lines below `ready`.
 * @param facts `keyHash`: base58 of the hash of the key in force
 */
export function firstMinute(facts: {
  readonly url: string;
  readonly keyHash: string;
  readonly accounts: readonly FirstAccount[];
}): string {
  const isKnownKey = facts.keyHash === privateNetworkSecrets.apiKeyHash;
  const rows = [
    ["page", `${facts.url}/`],
    ["API key", isKnownKey ? privateNetworkSecrets.apiKey : "your own, by its API_KEY_HASH"],
    ...facts.accounts.flatMap(({ address, seed, balance }) => [
      ["account", `${address}  ${balance === undefined ? "" : `${wavesText(balance)} WAVES`}`],
      ["seed", seed],
    ]),
  ] as const;
  return `\n${rows.map(([name, value]) => `  ${name.padEnd(9)}${value}`.trimEnd()).join("\n")}\n\n`;
}

const waveletsPerWaves = 100_000_000n;

/** @param amount wavelets */
function wavesText(amount: bigint): string {
  const whole = (amount / waveletsPerWaves).toLocaleString("en");
  const rest = String(amount % waveletsPerWaves)
    .padStart(8, "0")
    .replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
