/**
 * Proofs that transactions are in their blocks.
 * @source docs/protocol/rest-api.md 2.10, 3.14; Waves: api/http/TransactionsApiRoute.scala (merkleProof),
 *   block/package.scala
 */

import * as z from "zod";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { Digest } from "../../crypto/identities.ts";
import { EMPTY_MERKLE_TREE, type MerkleTree } from "../../crypto/merkle.ts";
import { ApiError } from "../../http/api-error.ts";
import { assertAtMost, decodeIds, textsOf } from "../../http/multi-ids.ts";
import { merkleMessageOfBytes } from "../../protocol/blocks/transactions-root.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { isInBlockV5, type TransactionLocation, transactionBytesOfBlockQuery } from "../../read-model/transaction.ts";
import { type FoundProof, proofsQuery } from "../../read-model/transaction-tree.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { merkleProof as merkleProofSchema } from "../schemas/transaction-status.ts";

interface IdentifiedProof extends FoundProof {
  readonly id: Uint8Array;
}

/** Proofs in the tip, and in blocks without a stored tree: computed from the whole block. */
class ProofsOfWholeBlocks {
  readonly #node: NodeContext;
  readonly #trees = new Map<number, MerkleTree>();

  constructor(node: NodeContext) {
    this.#node = node;
  }

  async proof({ height, position }: TransactionLocation): Promise<readonly Digest[]> {
    const tree = this.#trees.get(height) ?? (await this.#readTree(height));
    return tree.proof(position);
  }

  async #readTree(height: number): Promise<MerkleTree> {
    const { values } = await this.#node.model.read(transactionBytesOfBlockQuery(height));
    const tree = EMPTY_MERKLE_TREE.append(values[0].map(merkleMessageOfBytes));
    this.#trees.set(height, tree);
    return tree;
  }
}

async function* proofsOf(placed: readonly IdentifiedProof[], node: NodeContext): AsyncGenerator<JsonObject> {
  const wholeBlocks = new ProofsOfWholeBlocks(node);
  for (const item of placed) {
    const proof = item.proof ?? (await wholeBlocks.proof(item));
    yield { id: encodeBase58(item.id), transactionIndex: item.position, merkleProof: proof.map(encodeBase58) };
  }
}

const proofs = route({
  method: "ALL",
  path: "/transactions/merkleProof",
  dependsOn: "tip",
  body: textsOf("id", "Ids of transactions; those not in a block of version 5 are left out."),
  description: {
    tag: "transactions",
    summary: "Proofs that transactions are in their blocks",
    response: () => z.array(merkleProofSchema()),
    errors: ["tooBigSequence", "transactionIdInvalid", "idsInvalid", "requestInvalid"],
    examples: [
      { query: { id: ["4a4KCsnfHunmMuBC5EcdtGC8sVJpeobiR2TtEFhHgXoB"] } },
      { method: "POST", body: { ids: ["4a4KCsnfHunmMuBC5EcdtGC8sVJpeobiR2TtEFhHgXoB"] } },
    ],
  },
  handle: async ({ body: texts, ...node }) => {
    assertAtMost(node.limits.transactionsLimit, texts);
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
