/**
 * Holders of an asset, at the tip and at a height.
 * @source docs/protocol/rest-api.md 2.3; Waves: api/http/assets/AssetsApiRoute.scala (balanceDistribution)
 */
import { addressText, parseAddress } from "../../crypto/address.ts";
import type { Address } from "../../crypto/identities.ts";
import { requestsStrings } from "../../http/accept.ts";
import { ApiError } from "../../http/api-error.ts";
import { optional } from "../../http/query.ts";
import { json } from "../../http/route-response.ts";
import { assetId, natural, text } from "../../http/value-kinds.ts";
import type { AssetId } from "../../protocol/transactions/asset.ts";
import type { Chain } from "../../read-model/chain.ts";
import { type Holder, holdersOfAssetAtQuery, holdersOfAssetQuery } from "../../read-model/distribution.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf, upTo, withTexts } from "../../services/freshness.ts";
import { distributionPage } from "../schemas/asset.ts";
import { balances } from "../schemas/values.ts";

/** Maximum of holders in one read. */
const holdersAtATime = 5000;

async function readBatch(asset: AssetId, after: Address | undefined, { model }: NodeContext) {
  const { chain, values } = await model.read(holdersOfAssetQuery(asset, { after, limit: holdersAtATime }));
  return { chain, holders: values[0] };
}

async function* membersOf(
  first: { readonly holders: readonly Holder[] },
  asset: AssetId,
  node: NodeContext,
): AsyncGenerator<readonly [string, bigint]> {
  for (let batch = first; ; batch = await readBatch(asset, batch.holders.at(-1)?.address, node)) {
    for (const { address, balance } of batch.holders) yield [addressText(address), balance];
    if (batch.holders.length < holdersAtATime) return;
  }
}

const distribution = route({
  method: "GET",
  path: "/assets/:assetId/distribution",
  dependsOn: "tip",
  trailingSlash: true,
  params: { assetId },
  description: {
    tag: "assets",
    summary: "Holders of an asset",
    notes: "Balances by address, at the tip.",
    response: balances,
    examples: [{ params: { assetId: "5BxpmGJGqH9a7bDV7dx3WPSN5ikjo8EGbsaPFPeyqjUv" } }],
  },
  handle: async ({ params: { assetId: asset }, ...node }) => {
    const first = await readBatch(asset, undefined, node);
    return {
      kind: "jsonMembers",
      members: membersOf(first, asset, node),
      isSignificant: true,
      freshness: asOf(first.chain),
    };
  },
});

const refuse = (message: string) => new ApiError({ code: "requestInvalid", message });

/** @throws ApiError requestInvalid */
function assertLimit(limit: number, { limits }: NodeContext): void {
  if (limit < 1) throw refuse("Limit should be greater than 0");
  if (limit > limits.holdersLimit) throw refuse(`Limit should be less than or equal to ${limits.holdersLimit}`);
}

/** Distributions are available as far below the tip as a forced rollback may go. @throws ApiError requestInvalid */
function assertHeight(height: number, chain: Chain, { network }: NodeContext): void {
  if (height < 1) throw refuse("Height should be greater than zero");
  if (height === chain.height) {
    throw refuse("Using 'assetDistributionAtHeight' on current height can lead to inconsistent result");
  }
  if (height > chain.height) {
    throw refuse(`Asset distribution available only at height not greater than ${chain.height - 1}`);
  }
  const lowest = chain.height - network.node.maxRollbackDepth;
  if (height < lowest) throw refuse(`Unable to get distribution past height ${lowest}`);
}

const distributionAt = route({
  method: "GET",
  path: "/assets/:assetId/distribution/:height/limit/:limit",
  dependsOn: "final",
  params: { assetId, height: natural, limit: natural },
  query: { after: optional(text, "Address after which the page begins.") },
  description: {
    tag: "assets",
    summary: "Holders of an asset at a height",
    notes: "A page; `lastItem` is the `after` of the next one.",
    response: distributionPage,
    errors: ["requestInvalid", "addressInvalid"],
    examples: [{ params: { assetId: "5BxpmGJGqH9a7bDV7dx3WPSN5ikjo8EGbsaPFPeyqjUv", height: "12", limit: "1" } }],
  },
  handle: async ({ params: { assetId: asset, height, limit }, query, request, ...node }) => {
    assertLimit(limit, node);
    const after = query.after === undefined ? undefined : parseAddress(query.after, node.chainId);
    const page = { after: after instanceof Uint8Array ? after : undefined, limit };
    const { chain, values } = await node.model.read(holdersOfAssetAtQuery(asset, height, page));
    assertHeight(height, chain, node);
    if (after !== undefined && !(after instanceof Uint8Array)) throw new ApiError({ code: "addressInvalid" });
    const [holders] = values;
    const last = holders.at(-1);
    const asText = requestsStrings(request.headers.get("Accept"));
    const items = Object.fromEntries(
      holders.map(({ address, balance }) => [addressText(address), asText ? String(balance) : balance]),
    );
    return json(
      { hasNext: holders.length === limit, lastItem: last ? addressText(last.address) : null, items },
      withTexts(upTo(height, chain, "height"), asText),
    );
  },
});

export const assetDistributionRoutes = [distribution, distributionAt];
