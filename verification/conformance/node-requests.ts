/** Requests for both nodes. */
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { isJsonObject, type ParsedJson } from "../../src/protocol/parse-json.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { ChainInventory } from "./chain-inventory.ts";
import { withoutLaterFeatures } from "./known-deviations.ts";

export interface NodeRequest {
  /** Route, for the counts. */
  readonly route: string;
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Members of the response that each node chooses on its own. */
  readonly skipped?: readonly string[];
  /** Whether the response is a list in no defined order. */
  readonly isUnordered?: boolean;
  /** Parts of the response's text that each node chooses on its own. */
  readonly momentary?: RegExp;
  /** Part of the response that is compared; the rest is a documented departure. */
  readonly comparedPart?: (answer: ParsedJson) => ParsedJson;
  /** Whether a response of the reference contradicts its own documentation; such a response is not compared. */
  readonly isWrong?: (answer: ParsedJson) => boolean;
}

const pageIds = 100;
const pageAccounts = 1_000;
const sampleSize = 60;
const apiKey = { "X-API-Key": privateNetworkSecrets.apiKey };
const json = { "Content-Type": "application/json" };
/** Amounts as strings: such responses take another code path than those with numbers. */
const largeAsTexts = { Accept: "application/json;large-significand-format=string" };

/** Requests about every height, transaction, account and asset; a sample of those that combine two of them. */
export function* requestsAbout(chain: ChainInventory, random: SeededRandom): Iterable<NodeRequest> {
  yield* aboutBlocks(chain, random);
  yield* aboutTransactions(chain, random);
  yield* aboutAccounts(chain, random);
  yield* balancesAtHeights(chain);
  yield* aboutAssets(chain, random);
  yield* aboutNames(chain);
  yield { route: "activation/status", path: "/activation/status", comparedPart: withoutLaterFeatures };
  yield* get("/blockchain/rewards", "/node/status", "/debug/state");
}

/** Requests about the pool, after transactions were sent. */
export function* requestsAboutPool(): Iterable<NodeRequest> {
  const all = { path: "/transactions/unconfirmed", isUnordered: true };
  yield { ...all, route: "transactions/unconfirmed" };
  yield { ...all, route: "transactions/unconfirmed with texts", headers: largeAsTexts };
  yield* get("/transactions/unconfirmed/size");
}

function* aboutBlocks(chain: ChainInventory, random: SeededRandom): Iterable<NodeRequest> {
  const { height, blockIds, blockTimestamps } = chain;
  for (let at = 1; at <= height + 1; at++) {
    yield { route: "blocks/headers/at", path: `/blocks/headers/at/${at}` };
    yield { route: "blocks/at", path: `/blocks/at/${at}` };
    yield { route: "blocks/at with texts", path: `/blocks/at/${at}`, headers: largeAsTexts };
    yield { route: "debug/stateHash", path: `/debug/stateHash/${at}`, headers: apiKey, skipped: ["version"] };
    yield { route: "debug/stateWaves", path: `/debug/stateWaves/${at}`, headers: apiKey };
    yield { route: "blockchain/rewards/height", path: `/blockchain/rewards/${at}` };
  }
  yield { route: "debug/stateHash/last", path: "/debug/stateHash/last", headers: apiKey, skipped: ["version"] };
  yield* get("/blocks/height", "/blocks/last", "/blocks/headers/last", "/blocks/seq/0/0", "/blocks/seq/3/9");
  yield* get("/blocks/headers/seq/1/100", `/blocks/headers/seq/${height - 3}/${height + 3}`);
  for (let count = 0; count < sampleSize; count++) {
    const id = random.pick(blockIds);
    yield { route: "blocks/id", path: `/blocks/${id}` };
    yield { route: "blocks/headers/id", path: `/blocks/headers/${id}` };
    yield { route: "blocks/height/id", path: `/blocks/height/${id}` };
    yield { route: "blocks/delay", path: `/blocks/delay/${id}/${random.below(height)}` };
    const timestamp = random.pick(blockTimestamps) + BigInt(random.between(-2000, 2000));
    yield {
      route: "blocks/heightByTimestamp",
      path: `/blocks/heightByTimestamp/${timestamp}`,
      // The reference's search may end one block too high.
      isWrong: (answer) => isJsonObject(answer) && isAfter(blockTimestamps[Number(answer["height"]) - 1], timestamp),
    };
  }
}

function* aboutTransactions({ transactions }: ChainInventory, random: SeededRandom): Iterable<NodeRequest> {
  for (const id of transactions) {
    yield { route: "transactions/info", path: `/transactions/info/${id}` };
    yield { route: "transactions/snapshot", path: `/transactions/snapshot/${id}` };
  }
  for (let from = 0; from < transactions.length; from += pageIds) {
    const body = JSON.stringify({ ids: transactions.slice(from, from + pageIds) });
    const posted = { method: "POST", headers: json, body } as const;
    for (const route of ["transactions/status", "transactions/merkleProof"])
      yield { route, path: `/${route}`, ...posted };
    const infos = { path: "/transactions/info", ...posted };
    yield { ...infos, route: "transactions/info of many" };
    yield { ...infos, route: "transactions/info of many with texts", headers: { ...json, ...largeAsTexts } };
  }
  for (let count = 0; count < sampleSize; count++) {
    const id = random.pick(transactions);
    yield { route: "transactions/status/id", path: `/transactions/status/${id}` };
  }
}

function* aboutAccounts({ accounts, height, dataKeys }: ChainInventory, random: SeededRandom): Iterable<NodeRequest> {
  for (const account of accounts) {
    for (const route of ["addresses/balance", "addresses/balance/details", "addresses/effectiveBalance"])
      yield { route, path: `/${route}/${account}` };
    for (const route of ["addresses/data", "assets/balance", "leasing/active", "alias/by-address"])
      yield { route, path: `/${route}/${account}` };
    yield { route: "debug/balances/history", path: `/debug/balances/history/${account}` };
    yield { route: "assets/nft", path: `/assets/nft/${account}/limit/100` };
    const list = `/transactions/address/${account}/limit/${random.between(1, 1000)}`;
    yield { route: "transactions/address", path: list };
    yield { route: "transactions/address with texts", path: list, headers: largeAsTexts };
    yield { route: "addresses/scriptInfo", path: `/addresses/scriptInfo/${account}` };
    const confirmations = random.between(1, height);
    for (const route of ["addresses/balance", "addresses/effectiveBalance"])
      yield { route: `${route}/confirmations`, path: `/${route}/${account}/${confirmations}` };
  }
  for (const { account, key } of sample(dataKeys, random))
    yield { route: "addresses/data/key", path: `/addresses/data/${account}/${encodeURIComponent(key)}` };
}

/** WAVES balances of all accounts at every height. */
function* balancesAtHeights({ accounts, height: tip }: ChainInventory): Iterable<NodeRequest> {
  for (let height = 1; height <= tip; height++) {
    for (let from = 0; from < accounts.length; from += pageAccounts) {
      const addresses = accounts.slice(from, from + pageAccounts);
      yield {
        route: "addresses/balance at a height",
        path: "/addresses/balance",
        method: "POST",
        headers: json,
        body: JSON.stringify({ addresses, height }),
        isUnordered: true,
      };
    }
  }
}

function* aboutAssets({ assets, accounts, height }: ChainInventory, random: SeededRandom): Iterable<NodeRequest> {
  for (const asset of assets) {
    yield { route: "assets/details", path: `/assets/details/${asset}` };
    yield { route: "assets/details?full", path: `/assets/details/${asset}?full=true` };
    yield { route: "assets/distribution", path: `/assets/${asset}/distribution` };
    yield { route: "assets/balance/asset", path: `/assets/balance/${random.pick(accounts)}/${asset}` };
  }
  for (const asset of sample(assets, random)) {
    const at = random.between(1, height - 1);
    yield { route: "assets/distribution/height", path: `/assets/${asset}/distribution/${at}/limit/1000` };
  }
}

function* aboutNames({ leases, aliases }: ChainInventory): Iterable<NodeRequest> {
  for (const lease of leases) yield { route: "leasing/info", path: `/leasing/info/${lease}` };
  for (const alias of aliases) yield { route: "alias/by-alias", path: `/alias/by-alias/${alias}` };
}

function isAfter(blockTimestamp: bigint | undefined, timestamp: bigint): boolean {
  return blockTimestamp !== undefined && blockTimestamp > timestamp;
}

function* get(...paths: readonly string[]): Iterable<NodeRequest> {
  for (const path of paths) yield { route: path.slice(1), path, headers: apiKey };
}

function sample<T>(items: readonly T[], random: SeededRandom): readonly T[] {
  return items.length === 0 ? [] : Array.from({ length: sampleSize }, () => random.pick(items));
}
