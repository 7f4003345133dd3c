/**
 * Data entries of accounts.
 * @source docs/protocol/rest-api.md 2.1, 3.6; Waves: api/http/AddressApiRoute.scala (getData)
 */

import * as z from "zod";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-error.ts";
import { type Mismatch, mismatch } from "../../http/kind.ts";
import { assertAtMost, formTextsOf, textsOf } from "../../http/multi-ids.ts";
import { optional } from "../../http/query.ts";
import { type BodyReader, formType } from "../../http/request-body.ts";
import { json, type RouteResponse } from "../../http/route-response.ts";
import { address, text } from "../../http/value-kinds.ts";
import { KeyPattern } from "../../java-regex/key-pattern.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { dataEntryJson } from "../../protocol/transactions/data-entry.ts";
import { dataEntriesOfKeysQuery, dataEntriesQuery, dataEntryQuery } from "../../read-model/data-entry.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { readLimitBytes } from "../read-limit.ts";
import { dataEntry } from "../schemas/data-entry.ts";

/** Maximum of entries in one read. */
const entriesAtATime = 1000;
/**
 * Maximum work of matching a request's pattern, in comparisons: a second or two. A response that needs more is refused,
 * or breaks off.
 */
const matchingWork = 400_000_000;

const entryOfKey = route({
  method: "GET",
  path: "/addresses/data/:address/:key",
  dependsOn: "tip",
  params: { address, key: text },
  description: {
    tag: "addresses",
    summary: "Data entry of a key",
    response: dataEntry,
    errors: ["dataKeyUnknown"],
    examples: [{ params: { address: "3M2JLttEykHDndrbdEuQja5noUKhrXxWbgw", key: "t1_3" } }],
  },
  handle: async ({ params: { address: account, key }, model }) => {
    const { chain, values } = await model.read(dataEntryQuery(account, key));
    const [entry] = values;
    if (entry === undefined) throw new ApiError({ code: "dataKeyUnknown" });
    return json(dataEntryJson(entry), asOf(chain));
  },
});

/** Selection of entries in a request. */
type RequestedEntries =
  | { readonly kind: "all" }
  | { readonly kind: "matching"; readonly pattern: string }
  | { readonly kind: "keys"; readonly keys: readonly string[] };

const keysOf = textsOf("key", "Keys of the entries: existing ones are returned, in this order.");
const patternInQuery = {
  matches: optional(text, "A regular expression that the whole key has to match; has precedence over keys."),
};

/** Reads the selection. A pattern has precedence over keys, and one in a form over one in the query. */
const requestedEntries: BodyReader<RequestedEntries> = {
  read: async (request): Promise<RequestedEntries | Mismatch> => {
    const { method, searchParams } = request;
    const [inForm] = method === "POST" ? await formTextsOf(request, "matches") : [];
    const pattern = inForm ?? searchParams.get("matches");
    if (pattern !== null) return method === "GET" || method === "POST" ? { kind: "matching", pattern } : mismatch;
    const keys = await keysOf.read(request);
    if (keys === mismatch) return mismatch;
    return method === "GET" && keys.length === 0 ? { kind: "all" } : { kind: "keys", keys };
  },
  content: {
    ...keysOf.content,
    [formType]: () => z.object({ key: z.array(z.string()).optional(), matches: z.string().optional() }),
  },
  errors: keysOf.errors,
  isOptional: true,
  query: { GET: { ...keysOf.query?.GET, ...patternInQuery }, POST: patternInQuery },
};

const entries = route({
  method: "ALL",
  path: "/addresses/data/:address",
  dependsOn: "tip",
  trailingSlash: true,
  params: { address },
  body: requestedEntries,
  description: {
    tag: "addresses",
    summary: "Data entries",
    notes:
      "All of them, those of some keys, or those whose keys match a pattern. A POST has to name keys or a pattern.",
    response: () => z.array(dataEntry()),
    errors: ["tooBigSequence", "dataKeyMissing", "requestInvalid"],
    examples: [
      { params: { address: "3MKXuA6E3tiCK9ckhEg82S7QA8Ckb3qrk3T" } },
      { params: { address: "3MKXuA6E3tiCK9ckhEg82S7QA8Ckb3qrk3T" }, method: "POST", body: { keys: ["k2", "k1"] } },
    ],
  },
  handle: ({ params: { address: account }, body: requested, ...node }) => {
    switch (requested.kind) {
      case "all":
        return entriesResponse(account, undefined, node);
      case "matching":
        return entriesResponse(account, patternOf(requested.pattern), node);
      case "keys":
        return entriesOfKeysResponse(account, requested.keys, node);
    }
  },
});

/** @throws ApiError requestInvalid */
function patternOf(source: string): KeyPattern {
  const pattern = KeyPattern.parse(source, matchingWork);
  if (pattern === undefined) throw new ApiError({ code: "requestInvalid", message: "Cannot compile regex" });
  return pattern;
}

async function readBatch(account: Address, after: string | undefined, { model }: NodeContext) {
  const limit = { entries: entriesAtATime, bytes: readLimitBytes };
  const { chain, values } = await model.read(dataEntriesQuery(account, after, limit));
  return { chain, ...values[0] };
}

async function entriesResponse(
  account: Address,
  pattern: KeyPattern | undefined,
  node: NodeContext,
): Promise<RouteResponse> {
  const first = await readBatch(account, undefined, node);
  const items = followingBatches(first, account, pattern, node);
  return { kind: "jsonItems", open: "[", items, close: "]", freshness: asOf(first.chain) };
}

async function* followingBatches(
  first: Awaited<ReturnType<typeof readBatch>>,
  account: Address,
  pattern: KeyPattern | undefined,
  node: NodeContext,
): AsyncGenerator<JsonObject> {
  for (let batch = first; ; batch = await readBatch(account, batch.entries.at(-1)?.key, node)) {
    for (const entry of batch.entries) {
      if (pattern === undefined || matches(pattern, entry.key)) yield dataEntryJson(entry);
    }
    if (batch.isLast) return;
  }
}

/** @throws ApiError noTimelyAnswer: matching takes too long */
function matches(pattern: KeyPattern, key: string): boolean {
  try {
    return pattern.matches(key);
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError({ code: "noTimelyAnswer" }, { cause: error });
    throw error;
  }
}

/** Reads the entries of the first keys, up to the read limit. */
async function readRun(account: Address, keys: readonly string[], { model }: NodeContext) {
  const { chain, values } = await model.read(dataEntriesOfKeysQuery(account, keys, readLimitBytes));
  const [found] = values;
  const items = found.flatMap(({ entry }): readonly JsonObject[] => (entry ? [dataEntryJson(entry)] : []));
  const next = found[items.length];
  return { chain, items, rest: next === undefined ? [] : keys.slice(next.index) };
}

async function entriesOfKeysResponse(
  account: Address,
  keys: readonly string[],
  node: NodeContext,
): Promise<RouteResponse> {
  assertAtMost(node.limits.dataKeysLimit, keys);
  if (keys.length === 0) throw new ApiError({ code: "dataKeyMissing" });
  const first = await readRun(account, keys, node);
  const freshness = asOf(first.chain);
  if (first.rest.length === 0) return json(first.items, freshness);
  return { kind: "jsonItems", open: "[", items: followingRuns(first, account, node), close: "]", freshness };
}

async function* followingRuns(
  first: Awaited<ReturnType<typeof readRun>>,
  account: Address,
  node: NodeContext,
): AsyncGenerator<JsonObject> {
  for (let run = first; ; run = await readRun(account, run.rest, node)) {
    yield* run.items;
    if (run.rest.length === 0) return;
  }
}

export const accountDataRoutes = [entryOfKey, entries];
