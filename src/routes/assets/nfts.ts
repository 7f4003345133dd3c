/** NFTs of accounts. @source docs/protocol/rest-api.md 2.3, 3.12; Waves: api/http/assets/AssetsApiRoute.scala (nft) */

import * as z from "zod";
import { parseBase58 } from "../../crypto/base58.ts";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-error.ts";
import { type Mismatch, mismatch } from "../../http/kind.ts";
import { formTextsOf } from "../../http/multi-ids.ts";
import { optional } from "../../http/query.ts";
import { type BodyReader, formType, jsonType, plainObject } from "../../http/request-body.ts";
import type { RouteResponse } from "../../http/route-response.ts";
import { once } from "../../http/schema.ts";
import { address, natural, text } from "../../http/value-kinds.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { nftsQuery, type StoredAsset } from "../../read-model/asset.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { assetDetailsJson } from "../json/asset.ts";
import { nft } from "../schemas/asset.ts";

/** Maximum of assets in one read, and so in memory; a script of an asset may have 8 KB. */
const nftsAtATime = 500;

const afterAbout = "Id of the NFT after which the page begins.";
const afterInQuery = { after: optional(text, afterAbout) };
const afterInBody = plainObject(
  once(() => z.object({ after: z.string().optional().catch(undefined).meta({ description: afterAbout }) })),
);

/** Text of the NFT after which the page begins: in the query, or in the JSON or the form of a POST. */
const textOfAfter: BodyReader<string | undefined> = {
  ...afterInBody,
  content: { ...afterInBody.content, [formType]: () => z.object({ after: z.string().optional() }) },
  read: async (request): Promise<string | undefined | Mismatch> => {
    const inQuery = request.searchParams.get("after") ?? undefined;
    if (request.method === "GET") return inQuery;
    if (request.method !== "POST") return mismatch;
    if (inQuery !== undefined) return inQuery;
    if (request.mediaType !== jsonType) return (await formTextsOf(request, "after"))[0];
    const body = await afterInBody.read(request);
    return body === mismatch ? mismatch : body.after;
  },
  isOptional: true,
  query: { GET: afterInQuery, POST: afterInQuery },
};

/** @throws ApiError assetIdInvalid */
function decodeAfter(text: string | undefined): Uint8Array | undefined {
  if (text === undefined || text === "") return undefined;
  const bytes = parseBase58(text);
  if (bytes instanceof Uint8Array) return bytes;
  throw new ApiError({ code: "assetIdInvalid" });
}

interface Page {
  readonly account: Address;
  readonly after: Uint8Array | undefined;
  readonly limit: number;
}

async function readBatch({ account, after, limit }: Page, { model }: NodeContext) {
  const { chain, values } = await model.read(nftsQuery(account, after, Math.min(limit, nftsAtATime)));
  return { chain, assets: values[0] };
}

/** An NFT without sponsored fees lacks the member. */
function nftJson(asset: StoredAsset, chainId: number): JsonObject {
  const { minSponsoredAssetFee, ...details } = assetDetailsJson(asset, chainId, true);
  return minSponsoredAssetFee === null ? details : { ...details, minSponsoredAssetFee: minSponsoredAssetFee ?? null };
}

async function* followingBatches(
  first: { readonly assets: readonly StoredAsset[] },
  page: Page,
  node: NodeContext,
): AsyncGenerator<JsonObject> {
  let { limit } = page;
  for (let batch = first; ; batch = await readBatch({ ...page, limit, after: batch.assets.at(-1)?.id }, node)) {
    for (const asset of batch.assets) yield nftJson(asset, node.chainId);
    limit -= batch.assets.length;
    if (limit <= 0 || batch.assets.length < nftsAtATime) return;
  }
}

const nfts = route({
  method: "ALL",
  path: "/assets/nft/:address/limit/:limit",
  dependsOn: "tip",
  params: { address, limit: natural },
  body: textOfAfter,
  description: {
    tag: "assets",
    summary: "NFTs of an account",
    notes: "A page of them.",
    response: () => z.array(nft()),
    errors: ["tooBigSequence", "assetIdInvalid"],
    examples: [
      { params: { address: "3M5ZGakNxxcD2mVoM2VmZhWkF5EQ5nnb6KV", limit: "1" } },
      {
        params: { address: "3M5ZGakNxxcD2mVoM2VmZhWkF5EQ5nnb6KV", limit: "1" },
        method: "POST",
        body: { after: "BP9upGRm7xhk2pEyN833ZNKhhSX3tgSXZSjaSXwMPoe5" },
      },
    ],
  },
  handle: async ({ params: { address: account, limit }, body, ...node }): Promise<RouteResponse> => {
    const after = decodeAfter(body);
    if (limit > node.limits.transactionsLimit) throw new ApiError({ code: "tooBigSequence", limit: undefined });
    const page = { account, after, limit };
    const first = await readBatch(page, node);
    const items = followingBatches(first, page, node);
    return { kind: "jsonItems", open: "[", items, close: "]", freshness: asOf(first.chain) };
  },
});

export const nftRoutes = [nfts];
