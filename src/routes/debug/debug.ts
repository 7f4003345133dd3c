/** Debugging. Private routes here check the key first. @source docs/protocol/rest-api.md 1.2, 2.6 */

import * as z from "zod";
import { addressText } from "../../crypto/address.ts";
import type { Address } from "../../crypto/identities.ts";
import { requestsStrings } from "../../http/accept.ts";
import { ApiError } from "../../http/api-error.ts";
import type { RouteRequest } from "../../http/route-request.ts";
import { json, notFound, type RouteResponse } from "../../http/route-response.ts";
import { address, natural } from "../../http/value-kinds.ts";
import { referenceVersion } from "../../network/reference-version.ts";
import { parseBlock } from "../../protocol/blocks/parse-block.ts";
import { stateHashJson } from "../../protocol/snapshots/state-hash-json.ts";
import { balanceHistoryQuery } from "../../read-model/account.ts";
import { accountsPageAtQuery, accountsPageQuery } from "../../read-model/distribution.ts";
import { type StateHashKey, stateHashQuery } from "../../read-model/state-hash.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf, upTo, withTexts } from "../../services/freshness.ts";
import { keyGuard } from "../../services/key-guard.ts";
import { balanceAtHeight } from "../schemas/account.ts";
import { stateHash as stateHashSchema } from "../schemas/chain.ts";
import { balances } from "../schemas/values.ts";

const balanceHistory = route({
  method: "GET",
  path: "/debug/balances/history/:address",
  dependsOn: "tip",
  params: { address },
  description: {
    tag: "debug",
    summary: "Balance history of an account",
    notes: "Newest first; at least as far back as a forced rollback may go, and the last change before that.",
    response: () => z.array(balanceAtHeight()),
    examples: [{ params: { address: "3M4y7JizBf9jrJjAh6DNieaoLYZLoKY8hkn" } }],
  },
  handle: async ({ params: { address: account }, model }) => {
    const { chain, values } = await model.read(balanceHistoryQuery(account));
    return json(
      values[0].map(({ height, balance }) => ({ height, balance })),
      asOf(chain),
    );
  },
});

async function stateHashResponse(key: StateHashKey, { model, chainId }: NodeContext): Promise<RouteResponse> {
  const { chain, values } = await model.read(stateHashQuery(key));
  const [stored] = values;
  if (stored === undefined) return notFound;
  const { baseTarget } = parseBlock(stored.header, chainId).header;
  const freshness = key === "last" ? asOf(chain) : upTo(stored.height, chain, "height");
  return json({ ...stateHashJson({ ...stored, baseTarget }), version: referenceVersion }, freshness);
}

const stateHash = route({
  method: "GET",
  path: "/debug/stateHash/:height",
  dependsOn: "final",
  params: { height: natural },
  description: {
    tag: "debug",
    summary: "State hashes at a height",
    notes: "404 if the node has none.",
    response: stateHashSchema,
    examples: [{ params: { height: "60" } }],
  },
  handle: ({ params: key, ...node }) => stateHashResponse(key, node),
});

const lastStateHash = route({
  method: "GET",
  path: "/debug/stateHash/last",
  dependsOn: "tip",
  description: {
    tag: "debug",
    summary: "State hashes of the block before the last one",
    response: stateHashSchema,
    examples: [{}],
  },
  handle: (node) => stateHashResponse("last", node),
});

/** Maximum of accounts in one read. */
const accountsAtATime = 5000;

/** @param height undefined: the tip */
async function readAccounts(height: number | undefined, after: Address | undefined, { model }: NodeContext) {
  const page = { after, limit: accountsAtATime };
  const { chain, values } = await model.read(
    height === undefined ? accountsPageQuery(page) : accountsPageAtQuery(height, page),
  );
  return { chain, ...values[0] };
}

async function* membersOf(
  first: Awaited<ReturnType<typeof readAccounts>>,
  height: number | undefined,
  asText: boolean,
  node: NodeContext,
): AsyncGenerator<readonly [string, bigint | string]> {
  for (let batch = first; batch.last !== undefined; batch = await readAccounts(height, batch.last, node)) {
    for (const { address: account, balance } of batch.holders) {
      yield [addressText(account), asText ? String(balance) : balance];
    }
  }
}

/** WAVES of all accounts. @param height undefined: the tip @throws ApiError requestInvalid */
async function wavesResponse(
  height: number | undefined,
  request: RouteRequest,
  node: NodeContext,
): Promise<RouteResponse> {
  const first = await readAccounts(height, undefined, node);
  const { chain } = first;
  const lowest = chain.height - node.network.node.maxRollbackDepth;
  if (height !== undefined && height > 0 && height < lowest) {
    throw new ApiError({ code: "requestInvalid", message: `Unable to get balance past height ${lowest}` });
  }
  const asText = requestsStrings(request.headers.get("Accept"));
  const freshness = withTexts(asOf(chain), asText);
  return { kind: "jsonMembers", members: membersOf(first, height, asText, node), isSignificant: false, freshness };
}

const waves = route({
  method: "GET",
  path: "/debug/state",
  dependsOn: "tip",
  isPrivate: true,
  description: { tag: "debug", summary: "WAVES of all accounts", response: balances, examples: [{}] },
  handle: ({ request, ...node }) => wavesResponse(undefined, request, node),
});

const wavesAtHeight = route({
  method: "GET",
  path: "/debug/stateWaves/:height",
  dependsOn: "final",
  isPrivate: true,
  params: { height: natural },
  description: {
    tag: "debug",
    summary: "WAVES of all accounts at a height",
    response: balances,
    errors: ["requestInvalid"],
    examples: [{ params: { height: "1" } }],
  },
  handle: ({ params: { height }, request, ...node }) => wavesResponse(height, request, node),
});

const debugGuard = keyGuard("ALL", "/debug/*");

export const debugRoutes = [balanceHistory, lastStateHash, stateHash, waves, wavesAtHeight, debugGuard];
