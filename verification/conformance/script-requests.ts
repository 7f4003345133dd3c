/** Requests about scripts: scripts of accounts, results of functions, outcomes of transactions. */
import { addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { jsonText } from "../../src/protocol/json.ts";
import { isJsonObject, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import type { ChainWorld } from "../chain-generator/chain-world.ts";
import { invocationGenerators } from "../chain-generator/invocations.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { SourceWriter } from "../fuzz/source-writer.ts";
import type { ChainInventory } from "./chain-inventory.ts";
import type { NodeRequest } from "./node-requests.ts";
import { wellFormed } from "./well-formed.ts";

const json = { "Content-Type": "application/json" };
const apiKey = { "X-API-Key": privateNetworkSecrets.apiKey };
const plain = { "Content-Type": "text/plain" };
const sampleKeys = 5;
/** An evaluated call has the node's own time in its log. */
const ownTimestamp = /(?<=timestamp = |"timestamp":\{"type":"Int","value":)\d+/g;
const types = ["Int", "String", "ByteVector", "Boolean", "List[Int]", "List[String]"] as const;

/** Directives that may precede an expression and have no effect. */
const directives = [
  "{-# STDLIB_VERSION 2 #-}\n",
  "{-#STDLIB_VERSION x#-}{-# CONTENT_TYPE DAPP #-}",
  "# text\n{-# SCRIPT_TYPE ASSET #-} # text\n{-# IMPORT none #-}\n",
];

/** Requests about every account and every script of the chain. */
export function* requestsAboutScripts(
  { accounts, dataKeys, scripts, assets }: ChainInventory,
  random: SeededRandom,
): Iterable<NodeRequest> {
  for (const account of accounts) {
    yield { route: "addresses/scriptInfo/meta", path: `/addresses/scriptInfo/${account}/meta` };
    yield { route: "eth/abi", path: `/eth/abi/${account}` };
    const keys = dataKeys.filter((each) => each.account === account).map(({ key }) => key);
    if (keys.length === 0) continue;
    const asked = [...new Set(Array.from({ length: sampleKeys }, () => random.pick(keys)))];
    yield {
      route: "addresses/data by keys",
      path: `/addresses/data/${account}`,
      method: "POST",
      headers: json,
      body: JSON.stringify({ keys: asked }),
    };
    const pattern = `${asked[0]?.slice(0, 2).replaceAll(/[^a-z]/g, ".")}.*`;
    yield {
      route: "addresses/data?matches",
      path: `/addresses/data/${account}?matches=${encodeURIComponent(pattern)}`,
    };
  }
  for (const asset of assets) {
    yield { route: "assets/details of many", path: `/assets/details?id=${asset}&id=${random.pick(assets)}&full=true` };
  }
  for (const script of scripts) {
    for (const route of ["utils/script/estimate", "utils/script/decompile"])
      yield { route, path: `/${route}`, method: "POST", headers: plain, body: script };
  }
}

/** Sources of the chain's scripts. */
export function* requestsAboutSources({ known }: ChainWorld): Iterable<NodeRequest> {
  for (const { source } of known.dApps.values())
    yield {
      route: "utils/script/compileCode",
      path: "/utils/script/compileCode",
      method: "POST",
      headers: plain,
      body: source,
      // The reference gives up on a busy machine.
      isWrong: (answer) => isJsonObject(answer) && answer["message"] === "Script estimation was interrupted",
    };
}

/**
 * Expressions and calls that are only evaluated.
 * @param world at the tip of both nodes
 */
export function* evaluations(world: ChainWorld, chain: ChainInventory, count: number): Iterable<NodeRequest> {
  const { random, accounts } = world;
  for (let made = 0; made < count; made++) {
    const able = accounts.dApps.filter(({ address }) => world.findDApp(address) !== undefined);
    if (able.length === 0) return;
    const { address } = random.pick(able);
    const body = random.boolean(0.4) ? expression(world, chain, world.findDApp(address)?.version ?? 4) : call(world);
    if (body === undefined) continue;
    const target = typeof body["dApp"] === "string" && random.boolean(0.9) ? body["dApp"] : addressText(address);
    if (target.startsWith("alias:")) continue;
    const state = random.boolean(0.2) ? { state: overrides(world, target) } : {};
    yield {
      route: "expr" in body ? "utils/script/evaluate of an expression" : "utils/script/evaluate of a call",
      path: `/utils/script/evaluate/${target}?trace=${random.boolean(0.5)}`,
      method: "POST",
      // More than an anonymous client may evaluate.
      headers: { ...json, ...apiKey },
      body: jsonText({ ...body, ...state }),
      momentary: ownTimestamp,
    };
  }
}

/** The transactions of other requests, for validation only. */
export function* validations(questions: Iterable<NodeRequest>): Iterable<NodeRequest> {
  for (const { path: _, ...question } of questions)
    yield {
      ...question,
      route: "debug/validate",
      path: "/debug/validate",
      headers: { ...json, ...apiKey },
      skipped: [...(question.skipped ?? []), "validationTime"],
      // The reference breaks on results that it cannot serialize.
      isWrong: (answer) => isJsonObject(answer) && answer["message"] === "Error is unknown",
    };
}

function expression(world: ChainWorld, chain: ChainInventory, version: number): ParsedObject {
  const { random, known, accounts } = world;
  const names = {
    accounts: [...accounts.users, ...accounts.wallets].map(({ address }) => address),
    dataKeys: chain.dataKeys.map(({ key }) => key).filter((key) => /^[a-z# ]+$/.test(key)),
    assets: [...known.assets, new Uint8Array(32)],
    transactions: [...known.transactions, new Uint8Array(32)],
  };
  const head = random.boolean(0.15) ? random.pick(directives) : "";
  return { expr: head + new SourceWriter(random, version, names).expression(random.pick(types)) };
}

/** A transaction's JSON, or parts of it. */
function call(world: ChainWorld): ParsedObject | undefined {
  const { random } = world;
  const transaction = invocationGenerators[0]?.make(world);
  if (transaction === undefined) return undefined;
  const made = wellFormed(() => parseJson(jsonText(transactionJson(transaction))));
  if (made === undefined || !isJsonObject(made)) return undefined;
  return Object.fromEntries(
    Object.entries(made).filter(([name]) => name === "call" || name === "dApp" || random.boolean(0.85)),
  );
}

/** State overrides of an account for one evaluation. */
function overrides(world: ChainWorld, address: string): ParsedObject {
  const { random } = world;
  const asset = world.findAsset();
  const balances = { regularBalance: random.amount(0n, 10n ** 15n) };
  const assetBalances =
    asset === undefined ? {} : { assetBalances: { [encodeBase58(asset)]: random.amount(0n, 10n ** 12n) } };
  return { accounts: { [address]: { ...balances, ...assetBalances } } };
}
