/**
 * State snapshots of transactions, on nodes that store them.
 * @source docs/protocol/rest-api.md 2.10; Waves: api/http/TransactionsApiRoute.scala (transactionSnapshot)
 */

import * as z from "zod";
import { ApiError } from "../../http/api-error.ts";
import { textsOf } from "../../http/multi-ids.ts";
import { json, type RouteResponse } from "../../http/route-response.ts";
import { transactionId } from "../../http/value-kinds.ts";
import { featureActivationOf } from "../../network/features.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { parseTransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import type { TransactionId } from "../../protocol/transactions/transaction.ts";
import { activationHeightsQuery, withPreActivated } from "../../read-model/feature.ts";
import { snapshotsQuery } from "../../read-model/snapshot.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf, upTo } from "../../services/freshness.ts";
import { snapshotJson } from "../json/snapshot.ts";
import { readLimitBytes } from "../read-limit.ts";
import { transactionSnapshot } from "../schemas/transaction-snapshot.ts";
import { readRequested } from "./transactions.ts";

/** Reads the snapshots of the first ids, up to the read limit. @throws ApiError transactionUnknown */
async function readRun(ids: readonly Uint8Array[], { model, chainId, network }: NodeContext) {
  const { chain, values } = await model.read(snapshotsQuery(ids, readLimitBytes), activationHeightsQuery);
  const [snapshots, heights] = values;
  const features = featureActivationOf(withPreActivated(heights, network.blockchain.functionality));
  const items: JsonObject[] = [];
  let height = 0;
  for (const [index, stored] of snapshots.entries()) {
    if (stored === undefined) throw new ApiError({ code: "transactionUnknown" });
    if (stored.bytes === undefined) continue;
    height = Math.max(height, stored.height);
    const context = { transactionId: ids[index] as TransactionId, chainId };
    items.push(snapshotJson(parseTransactionSnapshot(stored.bytes, context), stored.height, features));
  }
  return { chain, items, height, rest: ids.slice(items.length) };
}

async function* followingRuns(
  first: Awaited<ReturnType<typeof readRun>>,
  node: NodeContext,
): AsyncGenerator<JsonObject> {
  for (let run = first; ; run = await readRun(run.rest, node)) {
    yield* run.items;
    if (run.rest.length === 0) return;
  }
}

const exampleTransaction = "8yhh6z2asJMdWNLWWEzgz59VHbAHL764rXDHc8NfdBbG";

const snapshot = route({
  method: "GET",
  path: "/transactions/snapshot/:id",
  dependsOn: "final",
  params: { id: transactionId },
  description: {
    tag: "transactions",
    summary: "State snapshot of a transaction",
    notes: "New absolute values, on nodes that store them.",
    response: transactionSnapshot,
    errors: ["transactionUnknown"],
    examples: [{ params: { id: exampleTransaction } }],
  },
  handle: async ({ params: { id }, ...node }) => {
    const { chain, items, height } = await readRun([id], node);
    return json(items[0] ?? null, upTo(height, chain, "id"));
  },
});

const snapshots = route({
  method: "ALL",
  path: "/transactions/snapshot",
  dependsOn: "tip",
  trailingSlash: true,
  body: textsOf("id", "Ids of transactions; repeated ones are returned repeatedly."),
  description: {
    tag: "transactions",
    summary: "State snapshots of many transactions",
    response: () => z.array(transactionSnapshot()),
    errors: ["tooBigSequence", "transactionIdInvalid", "requestInvalid", "transactionUnknown"],
    examples: [{ query: { id: [exampleTransaction] } }, { method: "POST", body: { ids: [exampleTransaction] } }],
  },
  handle: async ({ body: texts, ...node }): Promise<RouteResponse> => {
    const first = await readRequested(texts, node.limits.snapshotsLimit, (ids) => readRun(ids, node));
    const freshness = asOf(first.chain);
    if (first.rest.length === 0) return json(first.items, freshness);
    return { kind: "jsonItems", open: "[", items: followingRuns(first, node), close: "]", freshness };
  },
});

export const transactionSnapshotRoutes = [snapshot, snapshots];
