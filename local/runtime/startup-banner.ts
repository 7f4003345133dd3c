/** What a developer needs first of a private chain: where it is, its key, and who has the money. */
import { addressText } from "../../src/crypto/address.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { isJsonObject, parseJson } from "../../src/protocol/parse-json.ts";
import { wavesText } from "../chain-log/amount-text.ts";

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

/** When a dev chain gets blocks. */
export interface ShownPace {
  readonly automine: boolean;
  /** Between two blocks that come by themselves; null: none do. */
  readonly intervalMs: number | null;
}

/** The accounts of the private network's genesis block. */
export function privateAccounts(): readonly Omit<FirstAccount, "balance">[] {
  const seed = privateNetworkSecrets.walletSeedText;
  return privateNetwork.blockchain.genesis.transactions.map(({ recipient }) => ({
    address: addressText(recipient),
    seed,
  }));
}

/** Asks the node what accounts have. @param url of its interface */
export function readBalances(
  url: string,
  accounts: readonly Omit<FirstAccount, "balance">[],
): Promise<readonly FirstAccount[]> {
  return Promise.all(
    accounts.map(async ({ address, seed }) => ({ address, seed, balance: await readBalance(url, address) })),
  );
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
 * @param facts `keyHash`: base58 of the hash of the key in force; `pace`: of a dev chain, which has many accounts
 */
export function firstMinute(facts: {
  readonly url: string;
  readonly keyHash: string;
  readonly accounts: readonly FirstAccount[];
  readonly pace?: ShownPace | undefined;
}): string {
  const isKnownKey = facts.keyHash === privateNetworkSecrets.apiKeyHash;
  const rows = [
    ["page", `${facts.url}/`],
    ...(facts.pace === undefined ? [] : [["explorer", `${facts.url}/explorer`] as const]),
    ["API key", isKnownKey ? privateNetworkSecrets.apiKey : "your own, by its API_KEY_HASH"],
    ...(facts.pace === undefined ? [] : [["blocks", paceText(facts.pace)] as const]),
    ...(facts.pace === undefined ? facts.accounts.flatMap(accountRows) : facts.accounts.map(accountRow)),
  ] as const;
  return `\n${rows.map(([name, value]) => `  ${name.padEnd(9)}${value}`.trimEnd()).join("\n")}\n\n`;
}

function accountRows({ address, seed, balance }: FirstAccount) {
  return [["account", `${address}  ${balanceText(balance)}`] as const, ["seed", seed] as const];
}

/** As wide as what the richest account has. */
const BALANCE_WIDTH = 22;

function accountRow({ address, seed, balance }: FirstAccount) {
  return ["account", `${address}  ${balanceText(balance).padEnd(BALANCE_WIDTH)}  ${seed}`] as const;
}

function balanceText(balance: bigint | undefined): string {
  return balance === undefined ? "" : `${wavesText(balance)} WAVES`;
}

function paceText({ automine, intervalMs }: ShownPace): string {
  const ways = [
    ...(automine ? ["one for each transaction, at once"] : []),
    ...(intervalMs === null
      ? []
      : [`one every ${intervalMs % 1000 === 0 ? `${intervalMs / 1000} s` : `${intervalMs} ms`}`]),
  ];
  return ways.length === 0 ? "none but what POST /dev/mine asks for" : ways.join("; ");
}
