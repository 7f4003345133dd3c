/** Transfers of accounts that own nothing: well signed, but valid in no block. */
import type { TransferTransaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { AttackedNode } from "./attacked-node.ts";

export function unpaidTransfer(node: AttackedNode, random: SeededRandom): TransferTransaction {
  return node.signed<TransferTransaction>(node.newKey(), {
    ...{
      type: TransactionType.Transfer,
      version: 3,
      asset: null,
      feeAsset: null,
      amount: BigInt(random.between(1, 1e9)),
    },
    ...{ recipient: { kind: "address", address: node.addressOf(node.rich) }, attachment: new Uint8Array() },
    ...{ fee: 100_000n, timestamp: BigInt(Date.now()) },
  });
}
