/** Blocks and headers. @source docs/protocol/rest-api.md 2.4, 3.1; Waves: api/http/BlocksApiRoute.scala */

import * as z from "zod";
import { ApiError } from "../../http/api-error.ts";
import { unlisted } from "../../http/description.ts";
import { mismatch } from "../../http/kind.ts";
import { json, type RouteResponse } from "../../http/route-response.ts";
import { int64, type Schema } from "../../http/schema.ts";
import { address, blockId, natural, naturalI64 } from "../../http/value-kinds.ts";
import { headerTextOf } from "../../protocol/blocks/block-json.ts";
import type { JsonValue } from "../../protocol/json.ts";
import {
  type BlockKey,
  type BlockRange,
  distanceQuery,
  headerQuery,
  headersQuery,
  heightAtTimeQuery,
  heightQuery,
} from "../../read-model/block.ts";
import { type Chain, firstHeight, isFinal } from "../../read-model/chain.ts";
import { transactionsOfBlockQuery } from "../../read-model/transaction.ts";
import { chainTimeMs } from "../../services/chain-time.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf, upTo } from "../../services/freshness.ts";
import { type IdentifiedJson, storedBlockJson, storedHeaderJson } from "../json/block.ts";
import { finalBlock, finalBlockName } from "../json/final-block.ts";
import { blockHeight, block as blockSchema, header as headerSchema } from "../schemas/block.ts";
import { type BlockRun, readBlockRun } from "./block-run.ts";

const maxDelayBlocks = 10_000;

const unknownBlock = () => new ApiError({ code: "blockUnknown" });

/** Reads a block, or only its header; undefined if the chain has no such block. */
type ReadObject = (
  key: BlockKey,
  node: NodeContext,
) => Promise<{ readonly chain: Chain; readonly object: IdentifiedJson | undefined }>;

const readHeader: ReadObject = async (key, { model, network }) => {
  const { chain, values } = await model.read(headerQuery(key));
  const [header] = values;
  return { chain, object: header && storedHeaderJson(header, network.blockchain) };
};

const readBlock: ReadObject = async (key, { model, network }) => {
  const { chain, values } = await model.read(headerQuery(key), transactionsOfBlockQuery(key));
  const [header, transactions] = values;
  return { chain, object: header && storedBlockJson(header, transactions, network.blockchain) };
};

async function tipResponse(node: NodeContext, read: ReadObject): Promise<RouteResponse> {
  const { chain, object } = await read("tip", node);
  if (object === undefined) throw unknownBlock();
  return json(object.json, asOf(chain));
}

interface ObjectKind {
  readonly read: ReadObject;
  /** Extracts the response from the text of a block. */
  readonly textOf: (block: string) => string;
  /**
   * Whether results of D1 are stored for other readers: blocks are. A header costs less to read from D1 than to store
   * in KV.
   */
  readonly isStored: boolean;
}

/** Responds with a block or header; final ones come from memory or KV if the block is there. */
async function objectResponse(
  node: NodeContext,
  { read, textOf, isStored }: ObjectKind,
  key: Exclude<BlockKey, "tip">,
): Promise<RouteResponse> {
  const [foundBy, height] = "id" in key ? (["id", undefined] as const) : (["height", key.height] as const);
  const name = finalBlockName(key);
  const stored = await node.finals.find(name, height);
  if (stored !== undefined) {
    node.model.see(stored.chain);
    return { kind: "jsonText", text: textOf(stored.text), freshness: { kind: "final", tag: stored.tag, foundBy } };
  }
  const { chain, object } = await read(key, node);
  if (object === undefined) throw unknownBlock();
  // Past ids of the tip are forgotten once a block follows, even if the tip is final.
  if (!isFinal(object.height, chain) || object.height === chain.height) return json(object.json, asOf(chain));
  const freshness = { kind: "final", tag: object.id, foundBy } as const;
  if (!isStored) return json(object.json, freshness);
  const block = finalBlock(object);
  node.finals.store(name, block, chain);
  return { kind: "jsonText", text: block.text, freshness };
}

const schemas = { block: blockSchema, header: headerSchema } as const satisfies Record<string, Schema>;
const exampleBlock = "mAZFtjVsEMyV4LHhvpNwQNVXJjW8riTabkXX7HUhSJJB1iUTaawbVtLMPw46tzXSy5rgLXG8F2mSP8p3xEVqkXN";

/** Routes of one kind of object: by id, at a height, the last. */
function objectRoutes(kind: "block" | "header", prefix: string, object: ObjectKind) {
  const common = { tag: "blocks", response: schemas[kind], errors: ["blockUnknown"] } as const;
  return {
    byId: route({
      method: "GET",
      path: `${prefix}/:id`,
      dependsOn: "final",
      params: { id: blockId },
      description: { ...common, summary: `The ${kind} with an id`, examples: [{ params: { id: exampleBlock } }] },
      handle: ({ params: key, ...node }) => objectResponse(node, object, key),
    }),
    atHeight: route({
      method: "GET",
      path: `${prefix}/at/:height`,
      dependsOn: "final",
      params: { height: natural },
      description: { ...common, summary: `The ${kind} at a height`, examples: [{ params: { height: "3" } }] },
      handle: ({ params: key, ...node }) => objectResponse(node, object, key),
    }),
    last: route({
      method: "GET",
      path: `${prefix}/last`,
      dependsOn: "tip",
      description: { ...common, summary: `The last ${kind}`, examples: [{}] },
      handle: (node) => tipResponse(node, object.read),
    }),
  };
}
const block = objectRoutes("block", "/blocks", { read: readBlock, textOf: (text) => text, isStored: true });
const header = objectRoutes("header", "/blocks/headers", { read: readHeader, textOf: headerTextOf, isStored: false });

/** @throws ApiError tooBigSequence, without the limit */
function assertRange({ from, to }: BlockRange, { limits }: NodeContext): void {
  if (to < from || to - from >= limits.blocksLimit) throw new ApiError({ code: "tooBigSequence", limit: undefined });
}

/** Blocks below the first one of the node are an error, and not omitted. @throws ApiError blockUnknown */
function assertKnown({ from }: BlockRange, chain: Chain): void {
  if (from > 0 && from < firstHeight(chain)) throw unknownBlock();
}

async function* followingRuns(
  first: BlockRun,
  range: BlockRange,
  { model, network }: NodeContext,
): AsyncGenerator<JsonValue> {
  const to = lastHeight(range, first.chain);
  const options = { model, settings: network.blockchain, isFinal: isFinal(to, first.chain) };
  for (let run = first; ; run = await readBlockRun({ ...range, from: run.next, to }, options)) {
    yield* run.blocks.map((each) => each.json);
    if (run.next === undefined) return;
  }
}

/** Last height of a range. */
function lastHeight({ from, to }: BlockRange, chain: Chain): number {
  return from === 0 || to === 0 ? chain.height : to;
}

async function blocksResponse(range: BlockRange, node: NodeContext): Promise<RouteResponse> {
  assertRange(range, node);
  const first = await readBlockRun(range, { model: node.model, settings: node.network.blockchain });
  assertKnown(range, first.chain);
  const freshness = upTo(lastHeight(range, first.chain), first.chain, "height");
  if (first.next === undefined)
    return json(
      first.blocks.map((each) => each.json),
      freshness,
    );
  return { kind: "jsonItems", open: "[", items: followingRuns(first, range, node), close: "]", freshness };
}

const blockSequence = route({
  method: "GET",
  path: "/blocks/seq/:from/:to",
  dependsOn: "final",
  params: { from: natural, to: natural },
  description: {
    tag: "blocks",
    summary: "Blocks of a range of heights",
    notes: "Both ends count. Heights that the chain does not have are left out; `from` 0 is the tip.",
    response: () => z.array(blockSchema()),
    errors: ["tooBigSequence", "blockUnknown"],
    examples: [{ params: { from: "3", to: "3" } }],
  },
  handle: ({ params, ...node }) => blocksResponse(params, node),
});

const blocksOfGenerator = route({
  method: "GET",
  path: "/blocks/address/:address/:from/:to",
  dependsOn: "final",
  params: { address, from: natural, to: natural },
  description: {
    tag: "blocks",
    summary: "Blocks of a range that an account generated",
    response: () => z.array(blockSchema()),
    errors: ["tooBigSequence", "blockUnknown"],
    examples: [{ params: { address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF", from: "3", to: "3" } }],
  },
  handle: ({ params: { address: generator, from, to }, ...node }) => blocksResponse({ generator, from, to }, node),
});

const headerSequence = route({
  method: "GET",
  path: "/blocks/headers/seq/:from/:to",
  dependsOn: "final",
  params: { from: natural, to: natural },
  description: {
    tag: "blocks",
    summary: "Headers of a range of heights",
    notes: "Like the blocks of a range.",
    response: () => z.array(headerSchema()),
    errors: ["tooBigSequence", "blockUnknown"],
    examples: [{ params: { from: "3", to: "4" } }],
  },
  handle: async ({ params: range, ...node }) => {
    assertRange(range, node);
    const { chain, values } = await node.model.read(headersQuery(range));
    assertKnown(range, chain);
    const freshness = upTo(lastHeight(range, chain), chain, "height");
    return json(
      values[0].map((stored) => storedHeaderJson(stored, node.network.blockchain).json),
      freshness,
    );
  },
});

const chainHeight = route({
  method: "GET",
  path: "/blocks/height",
  dependsOn: "height",
  description: { tag: "blocks", summary: "Height of the chain", response: blockHeight, examples: [{}] },
  handle: async ({ model }) => {
    const { chain } = await model.read();
    return json({ height: chain.height }, asOf(chain));
  },
});

const heightOfBlock = route({
  method: "GET",
  path: "/blocks/height/:id",
  dependsOn: "final",
  params: { id: blockId },
  description: {
    tag: "blocks",
    summary: "Height of a block",
    response: blockHeight,
    errors: ["blockUnknown"],
    examples: [{ params: { id: exampleBlock } }],
  },
  handle: async ({ params: { id }, model }) => {
    const { chain, values } = await model.read(heightQuery(id));
    const [height] = values;
    if (height === undefined) throw unknownBlock();
    return json({ height }, height === chain.height ? asOf(chain) : upTo(height, chain, "id"));
  },
});

const delay = route({
  method: "GET",
  path: "/blocks/delay/:id/:blockNum",
  dependsOn: "tip",
  params: { id: blockId, blockNum: natural },
  description: {
    tag: "blocks",
    summary: "Mean time between blocks",
    notes: "Milliseconds, over that number of blocks up to the one with the id.",
    response: () => z.strictObject({ delay: int64() }),
    errors: ["tooBigSequence", "blockUnknown", "requestInvalid"],
    examples: [{ params: { id: exampleBlock, blockNum: "3" } }],
  },
  handle: async ({ params: { id, blockNum: blocks }, model }) => {
    if (blocks > maxDelayBlocks) throw new ApiError({ code: "tooBigSequence", limit: maxDelayBlocks });
    const { chain, values } = await model.read(distanceQuery(id, Math.max(blocks, 1)));
    const [distance] = values;
    if (distance === undefined) throw unknownBlock();
    if (distance.blocks === 0) {
      throw new ApiError({ code: "requestInvalid", message: "There is no block before the first one" });
    }
    return json({ delay: distance.ms / BigInt(distance.blocks) }, asOf(chain));
  },
});

const heightByTimestamp = route({
  method: "GET",
  path: "/blocks/heightByTimestamp/:timestamp",
  dependsOn: "tip",
  params: { timestamp: naturalI64 },
  description: {
    tag: "blocks",
    summary: "Height at a time",
    notes: "Height of the last block at or before a time, in milliseconds since the epoch.",
    response: blockHeight,
    errors: ["requestInvalid", "blockUnknown"],
    examples: [{ params: { timestamp: "1795223570668" } }],
  },
  handle: async ({ params: { timestamp }, model, ...node }) => {
    const refuse = (message: string) => new ApiError({ code: "requestInvalid", message });
    if (timestamp > BigInt(await chainTimeMs(node))) throw refuse("Indicated timestamp belongs to the future");
    const { chain, values } = await model.read(heightAtTimeQuery(timestamp));
    const [height] = values;
    if (height === undefined && firstHeight(chain) > 1) throw unknownBlock();
    if (height === undefined) throw refuse("Indicated timestamp is before the start of the blockchain");
    return json({ height }, asOf(chain));
  },
});

/** A path that no route above takes is parsed as a block id, whatever follows it; the error is about that id. */
const misspelledHeader = route({
  method: "GET",
  path: "/blocks/headers/:id/*",
  dependsOn: "tip",
  params: { id: blockId },
  description: unlisted("reports the error of the id in an unknown path"),
  handle: () => mismatch,
});
const misspelledBlock = route({
  method: "GET",
  path: "/blocks/:id/*",
  dependsOn: "tip",
  params: { id: blockId },
  description: unlisted("reports the error of the id in an unknown path"),
  handle: () => mismatch,
});

export const blockRoutes = [
  block.atHeight,
  blockSequence,
  block.last,
  chainHeight,
  delay,
  heightOfBlock,
  blocksOfGenerator,
  header.atHeight,
  headerSequence,
  header.last,
  header.byId,
  misspelledHeader,
  heightByTimestamp,
  block.byId,
  misspelledBlock,
];
