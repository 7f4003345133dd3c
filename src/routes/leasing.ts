/** Leases. @source docs/protocol/rest-api.md 2.8, 3.8; Waves: api/http/leasing/LeaseApiRoute.scala */

import * as z from "zod";
import { parseBase58 } from "../crypto/base58.ts";
import type { Address } from "../crypto/identities.ts";
import { ApiError } from "../http/api-error.ts";
import { assertAtMost, textsOf } from "../http/multi-ids.ts";
import { json } from "../http/route-response.ts";
import { address, leaseId } from "../http/value-kinds.ts";
import type { JsonValue } from "../protocol/json.ts";
import { leaseJson } from "../protocol/transactions/lease-json.ts";
import { activeLeasesQuery, leasesQuery } from "../read-model/lease.ts";
import { type NodeContext, route } from "../services/context.ts";
import { asOf } from "../services/freshness.ts";
import { lease as leaseSchema } from "./schemas/lease.ts";

const info = route({
  method: "GET",
  path: "/leasing/info/:id",
  dependsOn: "tip",
  params: { id: leaseId },
  description: {
    tag: "leasing",
    summary: "A lease",
    response: leaseSchema,
    errors: ["transactionUnknown"],
    examples: [{ params: { id: "t4rARnSbdLwqv3HfEM8CzyxjWEeCmaqSWLUwNt4wa2a" } }],
  },
  handle: async ({ params: { id }, model, chainId }) => {
    const { chain, values } = await model.read(leasesQuery([id]));
    const [lease] = values[0];
    if (lease === undefined) throw new ApiError({ code: "transactionUnknown" });
    return json(leaseJson(lease, chainId), asOf(chain));
  },
});

const infos = route({
  method: "ALL",
  path: "/leasing/info",
  dependsOn: "tip",
  trailingSlash: true,
  body: textsOf("id", "Ids of leases; repeated ones are returned repeatedly."),
  description: {
    tag: "leasing",
    summary: "Many leases",
    response: () => z.array(leaseSchema()),
    errors: ["tooBigSequence", "idsInvalid"],
    examples: [
      { query: { id: ["t4rARnSbdLwqv3HfEM8CzyxjWEeCmaqSWLUwNt4wa2a"] } },
      { method: "POST", body: { ids: ["t4rARnSbdLwqv3HfEM8CzyxjWEeCmaqSWLUwNt4wa2a"] } },
    ],
  },
  handle: async ({ body: texts, model, chainId, limits }) => {
    assertAtMost(limits.transactionsLimit, texts);
    // A text that is not base58 is an unknown id.
    const { chain, values } = await model.read(leasesQuery(texts.map((id) => bytesOf(id) ?? noId)));
    const unknown = texts.filter((_, index) => values[0][index] === undefined);
    if (unknown.length > 0) throw new ApiError({ code: "idsInvalid", ids: unknown });
    const list = values[0].flatMap((lease) => (lease === undefined ? [] : leaseJson(lease, chainId)));
    return json(list, asOf(chain));
  },
});

/** Id that no lease has. */
const noId = new Uint8Array(0);

function bytesOf(text: string): Uint8Array | undefined {
  const bytes = parseBase58(text);
  return bytes instanceof Uint8Array ? bytes : undefined;
}

/** Minimum of leases in one read; those of one block come together. */
const leasesAtATime = 1000;

async function readBatch(account: Address, before: number | undefined, { model }: NodeContext) {
  const { chain, values } = await model.read(activeLeasesQuery(account, before, leasesAtATime));
  return { chain, leases: values[0] };
}

async function* followingLeases(
  first: Awaited<ReturnType<typeof readBatch>>,
  account: Address,
  node: NodeContext,
): AsyncGenerator<JsonValue> {
  for (let batch = first; ; batch = await readBatch(account, batch.leases.at(-1)?.height, node)) {
    for (const lease of batch.leases) yield leaseJson(lease, node.chainId);
    if (batch.leases.length < leasesAtATime) return;
  }
}

const active = route({
  method: "GET",
  path: "/leasing/active/:address",
  dependsOn: "tip",
  params: { address },
  description: {
    tag: "leasing",
    summary: "Active leases from and to an account",
    notes: "Newest first.",
    response: () => z.array(leaseSchema()),
    examples: [{ params: { address: "3MHsujEVay7vAVYfePaLrsekxtX1N4Siobn" } }],
  },
  handle: async ({ params: { address: account }, ...node }) => {
    const first = await readBatch(account, undefined, node);
    const items = followingLeases(first, account, node);
    return { kind: "jsonItems", open: "[", items, close: "]", freshness: asOf(first.chain) };
  },
});

export const leasingRoutes = [active, info, infos];
