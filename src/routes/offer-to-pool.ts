/** The one way by which clients' transactions reach the pool. */
import type { BroadcastAnswer } from "../env.ts";
import { encodeProtobuf } from "../protocol/transactions/encode-for-block.ts";
import type { Transaction } from "../protocol/transactions/transaction.ts";
import { hasValidSignatures } from "../rules/transactions/checks/proofs.ts";
import type { NodeContext } from "./context.ts";

/**
 * What the pool says of the transaction. One that it takes can be asked for by its id from now on. Signatures are verified
 * here, where there are many isolates; those that are not valid are left to ChainState, which knows whether they matter.
 */
export async function offerToPool(
  transaction: Transaction,
  { isTraced }: { readonly isTraced: boolean },
  {
    chainState,
    poolOffers,
    unknownIds,
    ...request
  }: Pick<NodeContext, "chainState" | "poolOffers" | "unknownIds" | "waitUntil" | "nowMs">,
): Promise<BroadcastAnswer> {
  const { id } = transaction;
  const offer = {
    signedTransaction: encodeProtobuf(transaction),
    id,
    areSignaturesVerified: hasValidSignatures(transaction),
    isTraced,
  };
  const answer = await poolOffers.offer(offer, { ...request, pool: chainState.pool });
  if (answer.accepted) unknownIds.remove(id);
  return answer;
}
