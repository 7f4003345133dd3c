/** The one way by which clients' transactions reach the pool. */
import { bytesKey } from "../crypto/bytes.ts";
import type { BroadcastAnswer } from "../env.ts";
import { WorkExceeded } from "../platform/refused-work.ts";
import { encodeProtobuf } from "../protocol/transactions/encode-for-block.ts";
import { hasSender } from "../protocol/transactions/signer.ts";
import { formatOf } from "../protocol/transactions/table.ts";
import type { Transaction } from "../protocol/transactions/transaction.ts";
import { hasValidSignatures } from "../rules/transactions/checks/proofs.ts";
import type { NodeContext } from "./context.ts";

type PoolContext = Pick<
  NodeContext,
  "chainState" | "poolOffers" | "unknownIds" | "exceededBudgets" | "countedHost" | "waitUntil" | "nowMs"
>;

/**
 * What the pool says of the transaction. One that it takes can be asked for by its id from now on. Signatures are verified
 * here, where there are many isolates; those that are not valid are left to ChainState, which knows whether they matter.
 * @throws WorkExceeded, ChainUnavailable
 */
export async function offerToPool(
  transaction: Transaction,
  { isTraced }: { readonly isTraced: boolean },
  node: PoolContext,
): Promise<BroadcastAnswer> {
  const { chainState, poolOffers, unknownIds, exceededBudgets } = node;
  const { id } = transaction;
  const host = node.countedHost();
  const source = host === undefined ? undefined : { host, sender: senderOf(transaction) };
  // Of another type only ChainState knows whether it runs a script.
  if (source !== undefined && formatOf(transaction.type).callsDApps) exceededBudgets.expectLeft(source);
  const offer = {
    signedTransaction: encodeProtobuf(transaction),
    id,
    areSignaturesVerified: hasValidSignatures(transaction),
    isTraced,
    ...(host !== undefined && { host }),
  };
  try {
    const answer = await poolOffers.offer(offer, { ...node, pool: chainState.pool });
    if (answer.accepted) unknownIds.remove(id);
    return answer;
  } catch (error) {
    if (source !== undefined && error instanceof WorkExceeded) exceededBudgets.add(source, error);
    throw error;
  }
}

function senderOf(transaction: Transaction): string | undefined {
  return hasSender(transaction) ? bytesKey(transaction.sender) : undefined;
}
