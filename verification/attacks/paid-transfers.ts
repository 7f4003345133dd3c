/** Transfers with fees: the honest counterpart of transactions that cost their sender nothing. */
import type { TransferTransaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { Load } from "./attack.ts";
import type { AttackedNode } from "./attacked-node.ts";
import { requestLoad, resultName } from "./request-load.ts";

const FEE = 100_000n;

/** A transfer of the smallest amount, different for each number. */
export function paidTransfer(node: AttackedNode, number: number): TransferTransaction {
  return node.signed<TransferTransaction>(node.rich, {
    ...{ type: TransactionType.Transfer, version: 3, asset: null, feeAsset: null, amount: 1n },
    ...{ recipient: { kind: "address", address: node.addressOf(node.rich) }, attachment: new Uint8Array() },
    ...{ fee: FEE + BigInt(number), timestamp: BigInt(Date.now()) },
  });
}

/** @param most maximum number of transfers */
export function paidTransfers(node: AttackedNode, most: number): Load {
  return requestLoad(async (number, signal) => {
    const { status, text } = await node.broadcast(paidTransfer(node, number), { signal });
    return resultName(status, text);
  }, most);
}
