/** The one way by which clients' transactions reach the pool. */
import type { BroadcastAnswer } from "../env.ts";
import { encodeProtobuf } from "../protocol/transactions/encode-for-block.ts";
import type { Transaction } from "../protocol/transactions/transaction.ts";
import type { NodeContext } from "./context.ts";

/** What the pool says of the transaction. One that it takes can be asked for by its id from now on. */
export async function offerToPool(
  transaction: Transaction,
  options: { readonly isTraced: boolean },
  { chainState, unknownIds }: Pick<NodeContext, "chainState" | "unknownIds">,
): Promise<BroadcastAnswer> {
  const answer = await chainState.pool.broadcast(encodeProtobuf(transaction), options);
  if (answer.accepted) unknownIds.remove(transaction.id);
  return answer;
}
