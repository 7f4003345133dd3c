/** The pool of unconfirmed transactions. @source docs/protocol/rest-api.md 2.10 */

import * as z from "zod";
import { ApiError } from "../../http/api-error.ts";
import { unlisted } from "../../http/description.ts";
import { json, momentary } from "../../http/route-response.ts";
import { int32 } from "../../http/schema.ts";
import { transactionId } from "../../http/value-kinds.ts";
import { decodeIdList } from "../../protocol/codec/id-list.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { parseSignedTransaction } from "../../protocol/transactions/parse-transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { leasesOf } from "../json/lease.ts";
import { leaseIdOf, unconfirmedJson } from "../json/transaction.ts";
import { readLimitBytes } from "../read-limit.ts";
import { unconfirmedTransaction } from "../schemas/transaction.ts";
import { exampleTransferId } from "./example-transfer.ts";

/** @param list protobuf transactions of the pool */
async function unconfirmedList(list: readonly Uint8Array[], { chainId, model }: NodeContext): Promise<JsonObject[]> {
  const transactions = list.map((bytes) => parseSignedTransaction(bytes, chainId));
  const cancelled = transactions.map((transaction) =>
    transaction.type === TransactionType.LeaseCancel ? leaseIdOf(transaction) : undefined,
  );
  const leases = await leasesOf(cancelled, model);
  return transactions.map((transaction, index) => unconfirmedJson(transaction, leases[index], chainId));
}

/** Maximum of transactions in one call. */
const groupSize = 500;

/** Yields the transactions that are still unconfirmed when their ids are reached. */
async function* unconfirmedItems(ids: readonly Uint8Array[], node: NodeContext): AsyncGenerator<JsonObject> {
  for (let next = 0; next < ids.length; ) {
    const found = await node.chainState.pool.someUnconfirmed(ids.slice(next, next + groupSize), readLimitBytes);
    next += found.length;
    const list = found.filter((bytes) => bytes !== undefined);
    yield* await unconfirmedList(list, node);
  }
}

const unconfirmed = route({
  method: "GET",
  path: "/transactions/unconfirmed",
  dependsOn: "pool",
  trailingSlash: true,
  description: {
    tag: "transactions",
    summary: "Transactions that wait for a block",
    response: () => z.array(unconfirmedTransaction()),
    examples: [{}],
  },
  handle: async (node) => {
    const ids = [...decodeIdList(await node.chainState.pool.unconfirmedIds())];
    return { kind: "jsonItems", open: "[", items: unconfirmedItems(ids, node), close: "]", freshness: momentary };
  },
});

const size = route({
  method: "GET",
  path: "/transactions/unconfirmed/size",
  dependsOn: "pool",
  description: {
    tag: "transactions",
    summary: "Number of transactions that wait for a block",
    response: () => z.strictObject({ size: int32() }),
    examples: [{}],
  },
  handle: async ({ chainState }) => json({ size: await chainState.pool.unconfirmedCount() }, momentary),
});

const info = route({
  method: "GET",
  path: "/transactions/unconfirmed/info/:id",
  dependsOn: "pool",
  params: { id: transactionId },
  description: {
    tag: "transactions",
    summary: "A transaction that waits for a block",
    response: unconfirmedTransaction,
    errors: ["transactionUnknown"],
    examples: [{ params: { id: exampleTransferId } }],
  },
  handle: async ({ params: { id }, ...node }) => {
    const bytes = await node.chainState.pool.findUnconfirmed(id);
    if (bytes === undefined) throw new ApiError({ code: "transactionUnknown" });
    const [found] = await unconfirmedList([bytes], node);
    return json(found ?? null, momentary);
  },
});

const infoWithoutId = route({
  method: "GET",
  path: "/transactions/unconfirmed/info",
  dependsOn: "pool",
  trailingSlash: true,
  description: unlisted("reports the missing id"),
  handle: () => {
    throw new ApiError({ code: "signatureInvalid" });
  },
});

export const unconfirmedRoutes = [unconfirmed, size, info, infoWithoutId];
