/**
 * Proofs that transactions are in their blocks.
 * @source spec/rest-api.md 2.10, 3.14; Waves: api/http/TransactionsApiRoute.scala (merkleProof), block/package.scala
 */

import * as z from "zod";
import { encodeBase58 } from "../crypto/base58.ts";
import type { Digest } from "../crypto/identities.ts";
import { EMPTY_MERKLE_TREE } from "../crypto/merkle.ts";
import { ApiError } from "../http/api-fault.ts";
import { decodeIds, expectAtMost, textsOf } from "../http/multi-ids.ts";
import { merkleMessageOfBytes } from "../protocol/blocks/transactions-root.ts";
import type { JsonObject } from "../protocol/json.ts";
import { isInBlockV5, placesQuery, transactionBytesOfBlockQuery } from "../read-model/transaction.ts";
import { type FoundProof, proofsQuery } from "../read-model/transaction-tree.ts";
import { type NodeContext, route } from "./context.ts";
import { asOf } from "./freshness.ts";
import { merkleProof as merkleProofSchema } from "./schemas/transaction-place.ts";

interface PlacedId extends FoundProof {
  readonly id: Uint8Array;
}

/** Proofs in the tip, and in blocks whose tree is not kept: made of the whole block, as it is now. */
class ProofsOfWholeBlocks {
  readonly #node: NodeContext;
  /** What needs them, by height. */
  readonly #placed: ReadonlyMap<number, readonly PlacedId[]>;
  readonly #proofs = new Map<PlacedId, readonly Digest[]>();
  readonly #read = new Set<number>();

  constructor(node: NodeContext, placed: readonly PlacedId[]) {
    this.#node = node;
    const without = placed.filter(({ proof }) => proof === undefined);
    this.#placed = Map.groupBy(without, ({ height }) => height);
  }

  /** Undefined where the transaction has left its place meanwhile. */
  async find(item: PlacedId): Promise<readonly Digest[] | undefined> {
    if (!this.#read.has(item.height)) await this.#readBlock(item.height);
    return this.#proofs.get(item);
  }

  async #readBlock(height: number): Promise<void> {
    this.#read.add(height);
    const placed = this.#placed.get(height) ?? [];
    const ids = placed.map(({ id }) => id);
    const { values } = await this.#node.model.read(placesQuery(ids), transactionBytesOfBlockQuery(height));
    const [places, transactions] = values;
    const tree = EMPTY_MERKLE_TREE.append(transactions.map(merkleMessageOfBytes));
    placed.forEach((item, index) => {
      const now = places[index];
      if (now?.height === height && now.position === item.position) this.#proofs.set(item, tree.proof(item.position));
    });
  }
}

async function* proofsOf(placed: readonly PlacedId[], node: NodeContext): AsyncGenerator<JsonObject> {
  const ofWholeBlocks = new ProofsOfWholeBlocks(node, placed);
  for (const item of placed) {
    const proof = item.proof ?? (await ofWholeBlocks.find(item));
    if (proof === undefined) continue;
    yield { id: encodeBase58(item.id), transactionIndex: item.position, merkleProof: proof.map(encodeBase58) };
  }
}

const proofs = route({
  method: "ALL",
  path: "/transactions/merkleProof",
  dependsOn: "tip",
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
    const { chain, values } = await node.model.read(proofsQuery(ids));
    const placed = ids.flatMap((id, index) => {
      const found = values[0][index];
      return found !== undefined && isInBlockV5(found) ? { id, ...found } : [];
    });
    if (placed.length === 0) {
      const message = "transactions do not exist or block version < 5";
      throw new ApiError({ code: "requestInvalid", message });
    }
    return { kind: "jsonItems", open: "[", items: proofsOf(placed, node), close: "]", freshness: asOf(chain) };
  },
});

export const merkleProofRoutes = [proofs];
