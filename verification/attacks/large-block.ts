/** A block near the maximum size, whose sender has paid for it. */
import { decodeBase58 } from "../../src/crypto/base58.ts";
import type { BlockId } from "../../src/protocol/blocks/block.ts";
import type { DataTransaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { AttackedNode } from "./attacked-node.ts";

const TRANSACTIONS = 6;
const ENTRIES = 5;
const VALUE_BYTES = 30_000;
const FEE = 20_000_000n;

/** @returns its id, once the next block follows */
export async function largeBlock(node: AttackedNode, random: SeededRandom): Promise<BlockId> {
  let height = 0;
  for (let count = 0; count < TRANSACTIONS; count++) {
    const entries = Array.from({ length: ENTRIES }, (_, at) => ({
      ...{ key: `${count} ${at}`, value: { type: "binary" as const, value: random.bytes(VALUE_BYTES) } },
    }));
    const data = node.signed<DataTransaction>(node.rich, {
      ...{
        type: TransactionType.Data,
        version: 2,
        feeAsset: null,
        data: entries,
        fee: FEE,
        timestamp: BigInt(Date.now()),
      },
    });
    height = await node.confirm(data);
  }
  for (;;) {
    const found = await fetch(`${node.url}/blocks/headers/at/${height}`);
    const next = await fetch(`${node.url}/blocks/headers/at/${height + 1}`);
    if (found.ok && next.ok) return decodeBase58(((await found.json()) as { readonly id: string }).id) as BlockId;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
