/**
 * Proofs that transactions are in their blocks.
 * @source spec/rest-api.md 2.10, 3.14; Waves: api/http/TransactionsApiRoute.scala (merkleProof), block/package.scala
 */

import * as z from "zod";
import { encodeBase58 } from "../crypto/base58.ts";
import { MerkleProofs } from "../crypto/merkle.ts";
import { ApiError } from "../http/api-fault.ts";
import { decodeIds, expectAtMost, textsOf } from "../http/multi-ids.ts";
import { merkleMessageOfBytes } from "../protocol/blocks/transactions-root.ts";
import type { JsonObject } from "../protocol/json.ts";
import {
  isInBlockV5,
  placesQuery,
  type TransactionPlace,
  transactionsOfBlockQuery,
} from "../read-model/transaction.ts";
import { type NodeContext, route } from "./context.ts";
import { asOf } from "./freshness.ts";
import { merkleProof as merkleProofSchema } from "./schemas/transaction-place.ts";

/** A tree of a full block has half a megabyte. */
const treesInMemory = 8;

interface PlacedId {
  readonly id: Uint8Array;
  readonly place: TransactionPlace;
}

/** Trees of blocks, those that were made last. */
class BlockTrees {
  readonly #node: NodeContext;
  /** In the order in which they were made: a Map keeps the order of insertion. */
  readonly #trees = new Map<number, MerkleProofs>();

  constructor(node: NodeContext) {
    this.#node = node;
  }

  async at(height: number): Promise<MerkleProofs> {
    const known = this.#trees.get(height);
    if (known !== undefined) return known;
    const { values } = await this.#node.model.read(transactionsOfBlockQuery({ height }));
    const tree = new MerkleProofs(values[0].map(({ bytes }) => merkleMessageOfBytes(bytes)));
    const [oldest] = this.#trees.keys();
    if (oldest !== undefined && this.#trees.size >= treesInMemory) this.#trees.delete(oldest);
    this.#trees.set(height, tree);
    return tree;
  }
}

async function* proofsOf(placed: readonly PlacedId[], node: NodeContext): AsyncGenerator<JsonObject> {
  const trees = new BlockTrees(node);
  for (const { id, place } of placed) {
    const tree = await trees.at(place.height);
    // A block that was taken back meanwhile has no proof any more.
    if (place.position >= tree.size) continue;
    // From the leaf up.
    const merkleProof = tree.of(place.position).toReversed().map(encodeBase58);
    yield { id: encodeBase58(id), transactionIndex: place.position, merkleProof };
  }
}

const proofs = route({
  method: "ALL",
  path: "/transactions/merkleProof",
  body: textsOf("id", "Ids of transactions; those that no block of version 5 has are left out."),
  description: {
    tag: "transactions",
    summary: "Proofs that transactions are in their blocks",
    answer: () => z.array(merkleProofSchema()),
    errors: ["tooBigSequence", "transactionIdInvalid", "idsInvalid", "requestInvalid"],
    examples: [
      { query: { id: ["4a4KCsnfHunmMuBC5EcdtGC8sVJpeobiR2TtEFhHgXoB"] } },
      { method: "POST", body: { ids: ["4a4KCsnfHunmMuBC5EcdtGC8sVJpeobiR2TtEFhHgXoB"] } },
    ],
  },
  handle: async ({ body: texts, ...node }) => {
    expectAtMost(node.limits.transactionsLimit, texts);
    if (texts.length === 0) {
      throw new ApiError({ code: "transactionIdInvalid", message: "Transaction ID was not specified" });
    }
    const ids = decodeIds(texts);
    const { chain, values } = await node.model.read(placesQuery(ids));
    const placed = ids.flatMap((id, index) => {
      const place = values[0][index];
      return place !== undefined && isInBlockV5(place) ? { id, place } : [];
    });
    if (placed.length === 0) {
      const message = "transactions do not exist or block version < 5";
      throw new ApiError({ code: "requestInvalid", message });
    }
    return { kind: "jsonItems", open: "[", items: proofsOf(placed, node), close: "]", freshness: asOf(chain) };
  },
});

export const merkleProofRoutes = [proofs];
