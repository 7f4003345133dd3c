/**
 * Assets and their holders.
 * @source docs/protocol/rest-api.md 2.3, 3.12; Waves: api/http/assets/AssetsApiRoute.scala
 */

import * as z from "zod";
import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-error.ts";
import { unlisted } from "../../http/description.ts";
import { mismatch } from "../../http/kind.ts";
import { assertAtMost, decodeIds, textsOf } from "../../http/multi-ids.ts";
import { optional } from "../../http/query.ts";
import { json } from "../../http/route-response.ts";
import { address, assetId, boolean } from "../../http/value-kinds.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { accountsQuery, depositsQuery } from "../../read-model/account.ts";
import {
  assetBalanceQuery,
  assetBalancesQuery,
  assetsQuery,
  type Holding,
  holdingsQuery,
} from "../../read-model/asset.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { assetDetailsJson, holdingJson, issuerOf } from "../json/asset.ts";
import { assetBalance, assetBalances, assetDetails } from "../schemas/asset.ts";

/** Maximum of holdings in one read, and so in memory; a script of an asset may have 8 KB. */
const holdingsAtATime = 500;

const details = route({
  method: "GET",
  path: "/assets/details/:assetId",
  dependsOn: "tip",
  params: { assetId },
  query: { full: optional(boolean, "Whether to include the script.") },
  description: {
    tag: "assets",
    summary: "An asset",
    response: assetDetails,
    errors: ["assetUnknown"],
    examples: [{ params: { assetId: "8gc3C8AsR89Km4FUwh8BGEubqqy28mCymCu9ApWG5coJ" } }],
  },
  handle: async ({ params: { assetId: id }, query: { full }, model, chainId }) => {
    const { chain, values } = await model.read(assetsQuery([id]));
    const [asset] = values[0];
    if (asset === undefined) throw new ApiError({ code: "assetUnknown", assetId: encodeBase58(id) });
    return json(assetDetailsJson(asset, chainId, full ?? false), asOf(chain));
  },
});

const detailsOfMany = route({
  method: "ALL",
  path: "/assets/details",
  dependsOn: "tip",
  trailingSlash: true,
  query: { full: optional(boolean, "Whether to include the script.") },
  body: textsOf("id", "Ids of assets; repeated ones are returned repeatedly."),
  description: {
    tag: "assets",
    summary: "Many assets",
    response: () => z.array(assetDetails()),
    errors: ["tooBigSequence", "assetIdMissing", "idsInvalid", "assetsUnknown"],
    examples: [
      { query: { id: ["8gc3C8AsR89Km4FUwh8BGEubqqy28mCymCu9ApWG5coJ"] } },
      { method: "POST", body: { ids: ["8gc3C8AsR89Km4FUwh8BGEubqqy28mCymCu9ApWG5coJ"] } },
    ],
  },
  handle: async ({ body: texts, query: { full }, model, chainId, limits }) => {
    assertAtMost(limits.assetsLimit, texts);
    if (texts.length === 0) throw new ApiError({ code: "assetIdMissing" });
    const { chain, values } = await model.read(assetsQuery(decodeIds(texts)));
    const unknown = texts.filter((_, index) => values[0][index] === undefined);
    if (unknown.length > 0) throw new ApiError({ code: "assetsUnknown", ids: unknown });
    const list = values[0].flatMap((asset) => (asset ? assetDetailsJson(asset, chainId, full ?? false) : []));
    return json(list, asOf(chain));
  },
});

/** Holdings with the balances of their sponsors. */
async function holdingsJson(
  holdings: readonly Holding[],
  { model, chainId, network }: NodeContext,
): Promise<JsonObject[]> {
  const sponsored = holdings.filter(({ asset }) => asset.minSponsoredAssetFee !== 0n);
  const issuers = sponsored.map(({ asset }) => issuerOf(asset, chainId));
  const { generationPeriodLength } = network.blockchain.functionality;
  const [accounts, deposits] =
    issuers.length === 0
      ? [[], []]
      : (await model.read(accountsQuery(issuers), depositsQuery(issuers, generationPeriodLength))).values;
  const balances = new Map(
    sponsored.map(({ asset }, index) => {
      const { balance = 0n, leaseOut = 0n } = accounts[index] ?? {};
      return [asset, balance - leaseOut - (deposits[index] ?? 0n)];
    }),
  );
  return holdings.map(({ asset, balance }) =>
    holdingJson({ asset, balance, sponsorBalance: balances.get(asset) ?? 0n }, chainId),
  );
}

async function readHoldings(account: Address, after: Holding | undefined, node: NodeContext) {
  const { chain, values } = await node.model.read(holdingsQuery(account, after?.asset.id, holdingsAtATime));
  const [holdings] = values;
  return { chain, items: await holdingsJson(holdings, node), last: holdings.at(-1) };
}

async function* followingHoldings(
  first: Awaited<ReturnType<typeof readHoldings>>,
  account: Address,
  node: NodeContext,
): AsyncGenerator<JsonObject> {
  for (let batch = first; ; batch = await readHoldings(account, batch.last, node)) {
    yield* batch.items;
    if (batch.items.length < holdingsAtATime) return;
  }
}

/** One item for each id, in order; an item of an unknown id has only the id. */
async function chosenHoldings(account: Address, texts: readonly string[], node: NodeContext) {
  const ids = decodeIds(texts);
  const { chain, values } = await node.model.read(assetsQuery(ids), assetBalancesQuery(account, ids));
  const [assets, balances] = values;
  const known = assets.flatMap((asset, index) => (asset ? { asset, balance: balances[index] ?? 0n } : []));
  const items = (await holdingsJson(known, node)).values();
  return { chain, items: assets.map((asset, index) => (asset ? items.next().value : { assetId: texts[index] ?? "" })) };
}

const balances = route({
  method: "ALL",
  path: "/assets/balance/:address",
  dependsOn: "tip",
  trailingSlash: true,
  params: { address },
  body: textsOf("id", "Ids of assets; repeated ones are returned repeatedly."),
  description: {
    tag: "assets",
    summary: "Assets that an account holds",
    notes: "Without ids: all its assets, except NFTs.",
    response: assetBalances,
    errors: ["tooBigSequence", "idsInvalid"],
    examples: [
      { params: { address: "3MMu7ZLj6SKiktanFREQg5qodWJk5UeA22Q" } },
      {
        params: { address: "3MMu7ZLj6SKiktanFREQg5qodWJk5UeA22Q" },
        method: "POST",
        body: { ids: ["8C4P994UcbAhMTNbQJtG8EGG5FTNtLPH1jktcnCkuz8w"] },
      },
    ],
  },
  handle: async ({ params: { address: account }, body: texts, ...node }) => {
    assertAtMost(node.limits.assetsLimit, texts);
    if (texts.length > 0) {
      const { chain, items } = await chosenHoldings(account, texts, node);
      return json({ address: addressText(account), balances: items as JsonObject[] }, asOf(chain));
    }
    const first = await readHoldings(account, undefined, node);
    return {
      kind: "jsonItems",
      open: `{"address":"${addressText(account)}","balances":[`,
      items: followingHoldings(first, account, node),
      close: "]}",
      freshness: asOf(first.chain),
    };
  },
});

const balance = route({
  method: "GET",
  path: "/assets/balance/:address/:assetId",
  dependsOn: "tip",
  params: { address, assetId },
  description: {
    tag: "assets",
    summary: "Balance of an asset",
    response: assetBalance,
    examples: [
      {
        params: {
          address: "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw",
          assetId: "HejzhR8Ptc6EbPh6Hi31CGG7RW2PD8TNMyseD1qr8zzD",
        },
      },
    ],
  },
  handle: async ({ params: { address: account, assetId: id }, model }) => {
    const { chain, values } = await model.read(assetBalanceQuery(account, id));
    return json({ address: addressText(account), assetId: encodeBase58(id), balance: values[0] }, asOf(chain));
  },
});

/** A path that no route above takes is parsed as an asset id, whatever follows it; the error is about that id. */
const misspelledAsset = route({
  method: "GET",
  path: "/assets/:id/*",
  dependsOn: "tip",
  params: { id: assetId },
  description: unlisted("reports the error of the id in an unknown path"),
  handle: () => mismatch,
});

export const assetRoutes = [details, detailsOfMany, balances, balance, misspelledAsset];
