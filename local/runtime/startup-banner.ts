/** Startup banner of a private chain: its URL, API key, and the accounts with balances. */
import { addressText } from "../../src/crypto/address.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { isJsonObject, parseJson } from "../../src/protocol/parse-json.ts";
import { wavesText } from "../chain-log/amount-text.ts";

export interface BannerAccount {
  readonly address: string;
  /** Seed phrase from which the keys are derived. */
  readonly seed: string;
  /** Wavelets; undefined: the node did not respond in time. */
  readonly balance: bigint | undefined;
}

/** Time for the read model to catch up after a start. */
const WAIT_TIMEOUT_MS = 2_000;
const PAUSE_MS = 50;

/** Mining mode of a dev chain. */
export interface MiningMode {
  readonly automine: boolean;
  /** Time between two scheduled blocks; null: no blocks are scheduled. */
  readonly intervalMs: number | null;
}

/** The accounts of the private network's genesis block. */
export function privateAccounts(): readonly Omit<BannerAccount, "balance">[] {
  const seed = privateNetworkSecrets.walletSeedText;
  return privateNetwork.blockchain.genesis.transactions.map(({ recipient }) => ({
    address: addressText(recipient),
    seed,
  }));
}

/** Requests the balances of accounts. @param url of the node's REST interface */
export function readBalances(
  url: string,
  accounts: readonly Omit<BannerAccount, "balance">[],
): Promise<readonly BannerAccount[]> {
  return Promise.all(
    accounts.map(async ({ address, seed }) => ({ address, seed, balance: await readBalance(url, address) })),
  );
}

async function readBalance(url: string, address: string): Promise<bigint | undefined> {
  const endMs = performance.now() + WAIT_TIMEOUT_MS;
  do {
    const response = await fetch(`${url}/addresses/balance/${address}`);
    const json = response.ok ? parseJson(await response.text()) : undefined;
    if (isJsonObject(json) && typeof json["balance"] === "bigint") return json["balance"];
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  } while (performance.now() < endMs);
  return undefined;
}

/**
 * The lines below `ready`.
 * @param facts `keyHash`: base58 of the hash of the key in force; `miningMode`: only for a dev chain, which has many
 *   accounts
 */
export function startupBanner(facts: {
  readonly url: string;
  readonly keyHash: string;
  readonly accounts: readonly BannerAccount[];
  readonly miningMode?: MiningMode | undefined;
}): string {
  const isKnownKey = facts.keyHash === privateNetworkSecrets.apiKeyHash;
  const rows = [
    ["page", `${facts.url}/`],
    ...(facts.miningMode === undefined ? [] : [["explorer", `${facts.url}/explorer`] as const]),
    ["API key", isKnownKey ? privateNetworkSecrets.apiKey : "your own, by its API_KEY_HASH"],
    ...(facts.miningMode === undefined ? [] : [["blocks", miningModeText(facts.miningMode)] as const]),
    ...(facts.miningMode === undefined ? facts.accounts.flatMap(accountRows) : facts.accounts.map(accountRow)),
  ] as const;
  return `\n${rows.map(([name, value]) => `  ${name.padEnd(9)}${value}`.trimEnd()).join("\n")}\n\n`;
}

function accountRows({ address, seed, balance }: BannerAccount) {
  return [["account", `${address}  ${balanceText(balance)}`] as const, ["seed", seed] as const];
}

/** Width of the balance column: that of the largest balance. */
const BALANCE_WIDTH = 22;

function accountRow({ address, seed, balance }: BannerAccount) {
  return ["account", `${address}  ${balanceText(balance).padEnd(BALANCE_WIDTH)}  ${seed}`] as const;
}

function balanceText(balance: bigint | undefined): string {
  return balance === undefined ? "" : `${wavesText(balance)} WAVES`;
}

function miningModeText({ automine, intervalMs }: MiningMode): string {
  const ways = [
    ...(automine ? ["one for each transaction, at once"] : []),
    ...(intervalMs === null
      ? []
      : [`one every ${intervalMs % 1000 === 0 ? `${intervalMs / 1000} s` : `${intervalMs} ms`}`]),
  ];
  return ways.length === 0 ? "none but what POST /dev/mine asks for" : ways.join("; ");
}
