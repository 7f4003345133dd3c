/**
 * Status of a transaction: on the chain, in the pool, or unknown. On its way from the pool to the chain it is in at
 * least one of both, so for one found in neither the chain is read again.
 * @source docs/protocol/rest-api.md 2.10, 3.11
 */

import * as z from "zod";
import { encodeBase58 } from "../../crypto/base58.ts";
import { ApiError } from "../../http/api-error.ts";
import { unlisted } from "../../http/description.ts";
import { mismatch } from "../../http/kind.ts";
import { decodeIds, textsOf } from "../../http/multi-ids.ts";
import { json, momentary } from "../../http/route-response.ts";
import { transactionId } from "../../http/value-kinds.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Chain } from "../../read-model/chain.ts";
import { locationsQuery, type TransactionLocation } from "../../read-model/transaction.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { metaJson } from "../json/transaction.ts";
import { transactionStatus } from "../schemas/transaction-status.ts";

function confirmedJson(id: string, location: TransactionLocation, { height }: Chain): JsonObject {
  const confirmations = Math.max(height - location.height, 0);
  return { status: "confirmed", height: location.height, confirmations, ...metaJson(location), id };
}

/** Ids without a known location. */
function missingIds(ids: readonly Uint8Array[], places: readonly (TransactionLocation | undefined)[]): Uint8Array[] {
  return ids.filter((_, index) => places[index] === undefined);
}

/** Ids that wait in the pool, in base58. */
async function waitingAmong(
  ids: readonly Uint8Array[],
  { chainState, unknownIds, nowMs }: NodeContext,
): Promise<ReadonlySet<string>> {
  const requestedMs = nowMs();
  const requested = ids.filter((id) => !unknownIds.has(id, requestedMs));
  if (requested.length === 0) return new Set();
  const waits = await chainState.pool.areUnconfirmed(requested);
  for (const [index, id] of requested.entries()) if (!waits[index]) unknownIds.add(id, requestedMs);
  return new Set(requested.filter((_, index) => waits[index]).map(encodeBase58));
}

async function statusesOf(ids: readonly Uint8Array[], node: NodeContext) {
  const { model } = node;
  const first = await model.read(locationsQuery(ids));
  const notOnChain = missingIds(ids, first.values[0]);
  if (notOnChain.length === 0) return { ...first, isMomentary: false, statuses: statusesJson(ids, first, new Set()) };
  const waiting = await waitingAmong(notOnChain, node);
  const last = waiting.size === notOnChain.length ? first : await model.readLatest(locationsQuery(ids));
  return { ...last, isMomentary: true, statuses: statusesJson(ids, last, waiting) };
}

function statusesJson(
  ids: readonly Uint8Array[],
  {
    chain,
    values: [places],
  }: { readonly chain: Chain; readonly values: readonly [readonly (TransactionLocation | undefined)[]] },
  waiting: ReadonlySet<string>,
): readonly JsonObject[] {
  return ids.map((bytes, index) => {
    const id = encodeBase58(bytes);
    const location = places[index];
    if (location !== undefined) return confirmedJson(id, location, chain);
    return { status: waiting.has(id) ? "unconfirmed" : "not_found", id };
  });
}

const exampleTransaction = "8yhh6z2asJMdWNLWWEzgz59VHbAHL764rXDHc8NfdBbG";

const status = route({
  method: "ALL",
  path: "/transactions/status/:id",
  dependsOn: "pool",
  params: { id: transactionId },
  description: {
    tag: "transactions",
    summary: "Status of a transaction",
    response: transactionStatus,
    examples: [{ params: { id: exampleTransaction } }],
  },
  handle: async ({ params: { id }, ...node }) => {
    const { chain, statuses, isMomentary } = await statusesOf([id], node);
    return json(statuses[0] ?? null, isMomentary ? momentary : asOf(chain));
  },
});

const statuses = route({
  method: "ALL",
  path: "/transactions/status",
  dependsOn: "pool",
  trailingSlash: true,
  body: textsOf("id", "Ids of transactions; repeated ones are returned repeatedly."),
  description: {
    tag: "transactions",
    summary: "Status of many transactions",
    response: () => z.array(transactionStatus()),
    errors: ["tooBigSequence", "idsInvalid", "requestInvalid"],
    examples: [{ query: { id: [exampleTransaction] } }, { method: "POST", body: { ids: [exampleTransaction] } }],
  },
  handle: async ({ body: texts, ...node }) => {
    if (texts.length === 0) return mismatch;
    if (texts.length > node.limits.transactionsLimit) throw new ApiError({ code: "tooBigSequence", limit: undefined });
    const { chain, statuses: list, isMomentary } = await statusesOf(decodeIds(texts), node);
    return json(list, isMomentary ? momentary : asOf(chain));
  },
});

/** Requests without ids, by any method and body. */
const noIds = route({
  method: "ALL",
  path: "/transactions/status",
  dependsOn: "pool",
  trailingSlash: true,
  description: unlisted("reports missing ids, for any method and body"),
  handle: () => {
    throw new ApiError({ code: "requestInvalid", message: "Empty request" });
  },
});

export const transactionStatusRoutes = [status, statuses, noIds];
