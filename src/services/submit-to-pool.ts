/** Submission of clients' transactions to the pool: all routes use it. */
import { bytesKey } from "../crypto/bytes.ts";
import type { BroadcastResult } from "../env.ts";
import { WorkExceeded } from "../platform/refused-work.ts";
import { encodeProtobuf } from "../protocol/transactions/encode-for-block.ts";
import { hasSender } from "../protocol/transactions/signer.ts";
import { formatOf } from "../protocol/transactions/table.ts";
import type { Transaction } from "../protocol/transactions/transaction.ts";
import { hasValidSignatures } from "../rules/transactions/checks/proofs.ts";
import type { NodeContext } from "./context.ts";

type PoolContext = Pick<
  NodeContext,
  "chainState" | "broadcastBatcher" | "unknownIds" | "exceededBudgets" | "countedHost" | "waitUntil" | "nowMs"
>;

/**
 * Returns the pool's result. An accepted transaction can be queried by its id from now on. Signatures are verified
 * here, since there are many isolates; invalid ones are left to ChainState, which knows whether they matter.
 * @throws WorkExceeded, ChainUnavailable
 */
export async function submitToPool(
  transaction: Transaction,
  { isTraced }: { readonly isTraced: boolean },
  node: PoolContext,
): Promise<BroadcastResult> {
  const { chainState, broadcastBatcher, unknownIds, exceededBudgets } = node;
  const { id } = transaction;
  const host = node.countedHost();
  const source = host === undefined ? undefined : { host, sender: senderOf(transaction) };
  // For other types only ChainState knows whether a script runs.
  if (source !== undefined && formatOf(transaction.type).callsDApps) exceededBudgets.assertBudget(source);
  const submission = {
    signedTransaction: encodeProtobuf(transaction),
    id,
    areSignaturesVerified: hasValidSignatures(transaction),
    isTraced,
    ...(host !== undefined && { host }),
  };
  try {
    const result = await broadcastBatcher.submit(submission, { ...node, pool: chainState.pool });
    if (result.accepted) unknownIds.remove(id);
    return result;
  } catch (error) {
    if (source !== undefined && error instanceof WorkExceeded) exceededBudgets.add(source, error);
    throw error;
  }
}

function senderOf(transaction: Transaction): string | undefined {
  return hasSender(transaction) ? bytesKey(transaction.sender) : undefined;
}
