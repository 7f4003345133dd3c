/**
 * Transactions of the chain: by id, by account.
 * @source docs/protocol/rest-api.md 2.10; Waves: api/http/TransactionsApiRoute.scala
 */

import * as z from "zod";
import { base58ErrorText, encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import { bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { ApiError } from "../../http/api-error.ts";
import { assertAtMost, textsOf } from "../../http/multi-ids.ts";
import { optional } from "../../http/query.ts";
import { json, type RouteResponse } from "../../http/route-response.ts";
import { address, natural, text, transactionId } from "../../http/value-kinds.ts";
import type { JsonValue, RawJson } from "../../protocol/json.ts";
import type { TransactionId } from "../../protocol/transactions/transaction.ts";
import { type Chain, isFinal } from "../../read-model/chain.ts";
import {
  type AddressPage,
  type StoredTransaction,
  smallTransactionsOfAddressQuery,
  transactionQuery,
  transactionsOfAddressQuery,
  transactionsQuery,
} from "../../read-model/transaction.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { callRecordOf, leaseIdsOfRecord, omissionJson, stateChangesJson } from "../json/call-record.ts";
import { payloadsOf } from "../json/ethereum-payload.ts";
import { leasesOf } from "../json/lease.ts";
import { withOwnTransfers } from "../json/mass-transfer.ts";
import {
  leaseIdOf,
  type PrintedTransaction,
  rawJsonOf,
  transactionOf,
  transactionWithMetaJson,
} from "../json/transaction.ts";
import { readLimitBytes, sharedLimitBytes } from "../read-limit.ts";
import { transactionWithMeta } from "../schemas/transaction.ts";

const unknownTransaction = () => new ApiError({ code: "transactionUnknown" });

/**
 * Transactions with their location on the chain, in order.
 * @param listedFor account of the list
 */
async function withMeta(
  stored: readonly StoredTransaction[],
  node: NodeContext,
  listedFor?: Address,
): Promise<readonly TransactionWithMeta[]> {
  const { chainId } = node;
  const isListed = listedFor !== undefined;
  const transactions = stored.map((item) => transactionOf(item, chainId));
  const records = stored.map((item) => callRecordOf(item, chainId));
  const ownLeases = transactions.map((transaction) => transaction && leaseIdOf(transaction));
  // On a fork the joined leases may be incomplete.
  const joined = node.model.isWhole ? stored : [];
  const leaseIds = [...ownLeases, ...records.flatMap(leaseIdsOfRecord)];
  const leases = await leasesOf(
    leaseIds,
    node.model,
    joined.map(({ lease }) => lease),
  );
  const byId = new Map(leases.flatMap((lease) => (lease === undefined ? [] : [[bytesKey(lease.id), lease] as const])));
  const findLease = (leaseId: Uint8Array) => byId.get(bytesKey(leaseId));
  const stateChanges = records.map(
    (record) => record && stateChangesJson(record.result, { findLease, chainId, isListed }),
  );
  const calls = records.map((record, index) => {
    const call = record?.ethereumCall;
    return call && { call, stateChanges: stateChanges[index] ?? null };
  });
  // The effect of an Ethereum transaction is known once it is applied: an elided one has none.
  const applied = transactions.map((transaction, index) =>
    stored[index]?.status === "elided" ? undefined : transaction,
  );
  const payloads = await payloadsOf(applied, calls, node.model);
  const whole = stored.map((item, index): PrintedTransaction => {
    const transaction = transactions[index];
    const { type, ownedAliases } = item;
    return { type, transaction, json: rawJsonOf(item, transaction), ...(node.model.isWhole && { ownedAliases }) };
  });
  const shown = listedFor === undefined ? whole : await withOwnTransfers(whole, listedFor, node);
  return stored.map((item, index) => {
    const own = {
      lease: leases[index],
      payload: payloads[index],
      stateChanges: stateChanges[index] ?? null,
      omission: omissionJson(item),
    };
    const hasLease = ownLeases[index] !== undefined || leaseIdsOfRecord(records[index]).length > 0;
    return { json: transactionWithMetaJson(shown[index] as PrintedTransaction, item, own, chainId), hasLease };
  });
}

interface TransactionWithMeta {
  readonly json: RawJson;
  /** Whether the JSON shows an active lease, which may change. */
  readonly hasLease: boolean;
}

/** A client that queries the pool first and then this route must find a transaction that has just left the pool. */
async function findTransaction(id: TransactionId, { model }: NodeContext) {
  const query = transactionQuery(id);
  const first = await model.read(query);
  const { chain, values } = first.values[0] === undefined ? await model.readLatest(query) : first;
  return { chain, stored: values[0] };
}

const exampleTransaction = "8yhh6z2asJMdWNLWWEzgz59VHbAHL764rXDHc8NfdBbG";

const info = route({
  method: "GET",
  path: "/transactions/info/:id",
  dependsOn: "final",
  params: { id: transactionId },
  description: {
    tag: "transactions",
    summary: "A transaction of the chain",
    response: transactionWithMeta,
    errors: ["transactionUnknown"],
    examples: [{ params: { id: exampleTransaction } }],
  },
  handle: async ({ params: { id }, ...node }) => {
    const name = `transaction/id/${encodeBase58(id)}`;
    const cached = await node.finals.find(name, undefined);
    if (cached !== undefined) {
      node.model.see(cached.chain);
      return { kind: "jsonText", text: cached.text, freshness: { kind: "final", tag: cached.tag, foundBy: "id" } };
    }
    const { chain, stored } = await findTransaction(id, node);
    if (stored === undefined) throw unknownTransaction();
    const [found] = await withMeta([stored], node);
    if (found === undefined) throw unknownTransaction();
    if (!isFinal(stored.height, chain) || found.hasLease) {
      return json(found.json, asOf(chain));
    }
    const object = { tag: `${stored.height}.${name}`, text: found.json.written };
    node.finals.store(name, object, chain);
    return { kind: "jsonText", text: object.text, freshness: { kind: "final", tag: object.tag, foundBy: "id" } };
  },
});

/** Ids up to the first invalid text, and its error. */
function decodeUntilError(texts: readonly string[]): {
  readonly ids: Uint8Array[];
  readonly error: string | undefined;
} {
  const ids: Uint8Array[] = [];
  for (const item of texts) {
    const bytes = parseBase58(item);
    if (!(bytes instanceof Uint8Array)) return { ids, error: base58ErrorText(bytes) };
    ids.push(bytes);
  }
  return { ids, error: undefined };
}

/** Reads the transactions of the first ids, up to the read limit. @throws ApiError transactionUnknown */
async function readRun(ids: readonly Uint8Array[], node: NodeContext) {
  const { chain, values } = await node.model.read(transactionsQuery(ids, readLimitBytes));
  const [found] = values;
  const run: StoredTransaction[] = [];
  for (const item of found) {
    if (item === undefined) throw unknownTransaction();
    if (item.isRead) run.push(item);
  }
  return { chain, items: await withMeta(run, node), rest: ids.slice(run.length) };
}

async function* followingRuns(
  first: Awaited<ReturnType<typeof readRun>>,
  node: NodeContext,
): AsyncGenerator<JsonValue> {
  for (let run = first; ; run = await readRun(run.rest, node)) {
    yield* run.items.map((item) => item.json);
    if (run.rest.length === 0) return;
  }
}

/**
 * Reads the objects of ids in texts; an invalid id is reported once those before it are read, as in the reference.
 * @throws ApiError tooBigSequence, transactionIdInvalid, requestInvalid
 */
export async function readRequested<Run>(
  texts: readonly string[],
  limit: number,
  read: (ids: readonly Uint8Array[]) => Promise<Run>,
): Promise<Run> {
  assertAtMost(limit, texts);
  if (texts.length === 0) {
    throw new ApiError({ code: "transactionIdInvalid", message: "Transaction ID was not specified" });
  }
  const { ids, error } = decodeUntilError(texts);
  const run = await read(ids);
  if (error !== undefined) {
    throw new ApiError({ code: "requestInvalid", message: `java.lang.IllegalArgumentException: ${error}` });
  }
  return run;
}

const infos = route({
  method: "ALL",
  path: "/transactions/info",
  dependsOn: "tip",
  trailingSlash: true,
  body: textsOf("id", "Ids of transactions; repeated ones are returned repeatedly."),
  description: {
    tag: "transactions",
    summary: "Many transactions of the chain",
    response: () => z.array(transactionWithMeta()),
    errors: ["tooBigSequence", "transactionIdInvalid", "requestInvalid", "transactionUnknown"],
    examples: [{ query: { id: [exampleTransaction] } }, { method: "POST", body: { ids: [exampleTransaction] } }],
  },
  handle: async ({ body: texts, ...node }) => {
    const first = await readRequested(texts, node.limits.transactionsLimit, (ids) => readRun(ids, node));
    const freshness = asOf(first.chain);
    if (first.rest.length === 0)
      return json(
        first.items.map((item) => item.json),
        freshness,
      );
    return { kind: "jsonItems", open: "[", items: followingRuns(first, node), close: "]", freshness };
  },
});

/** Pages up to this length are read without computing their total size: most lists have small transactions. */
const smallPage = 100;

/** Query of a first page. */
function firstPageQuery(page: AddressPage) {
  return page.limit <= smallPage
    ? smallTransactionsOfAddressQuery(page, sharedLimitBytes)
    : transactionsOfAddressQuery(page, readLimitBytes);
}

function nextPageQuery(page: AddressPage) {
  return transactionsOfAddressQuery(page, readLimitBytes);
}

/** Read part of a page, and its continuation. */
interface PageRun {
  readonly chain: Chain;
  readonly items: readonly RawJson[];
  /** The rest; undefined: there is none. */
  readonly next: AddressPage | undefined;
}

/** Reads a page of an account's transactions, up to the read limit. */
async function readPage(page: AddressPage, node: NodeContext, pageQuery: typeof nextPageQuery): Promise<PageRun> {
  const { chain, values } = await node.model.read(pageQuery(page));
  const [found] = values;
  const unread = found.findIndex(({ isRead }) => !isRead);
  const run = unread === -1 ? found : found.slice(0, unread);
  const items = await withMeta(run, node, page.address);
  const next = unread === -1 ? undefined : { ...page, limit: page.limit - run.length, after: run.at(-1) ?? page.after };
  return { chain, items: items.map((item) => item.json), next };
}

async function* followingPages(first: PageRun, node: NodeContext): AsyncGenerator<JsonValue> {
  for (let run = first; ; run = await readPage(run.next, node, nextPageQuery)) {
    yield* run.items;
    if (run.next === undefined) return;
  }
}

/** @throws ApiError requestInvalid */
function decodeAfter(after: string | undefined): TransactionId | undefined {
  if (after === undefined) return undefined;
  const bytes = parseBase58(after);
  if (bytes instanceof Uint8Array) return bytes as Uint8Array as TransactionId;
  throw new ApiError({ code: "requestInvalid", message: `Unable to decode transaction id ${after}` });
}

async function pageResponse(
  account: Address,
  limit: number,
  after: TransactionId | undefined,
  node: NodeContext,
): Promise<RouteResponse> {
  const page: AddressPage = { address: account, limit, after };
  const first = await readPage(page, node, firstPageQuery);
  const freshness = asOf(first.chain);
  if (first.next === undefined) return json([first.items], freshness);
  return { kind: "jsonItems", open: "[[", items: followingPages(first, node), close: "]]", freshness };
}

const ofAddress = route({
  method: "GET",
  path: "/transactions/address/:address/limit/:limit",
  dependsOn: "tip",
  params: { address, limit: natural },
  query: { after: optional(text, "Id of the transaction after which the page begins.") },
  description: {
    tag: "transactions",
    summary: "Transactions of an account",
    notes:
      "A page, newest first: a list with one list in it. For a mass transfer from another account, only the transfers to this one are shown.",
    response: () => z.tuple([z.array(transactionWithMeta())]),
    errors: ["tooBigSequence", "requestInvalid"],
    examples: [{ params: { address: "3MFrKFzs929MjwpFY5xo7jb4pk5P16u1pbW", limit: "10" } }],
  },
  handle: ({ params: { address: account, limit }, query, ...node }) => {
    const after = decodeAfter(query.after);
    if (limit > node.limits.transactionsLimit) throw new ApiError({ code: "tooBigSequence", limit: undefined });
    return pageResponse(account, limit, after, node);
  },
});

export const transactionRoutes = [ofAddress, info, infos];
