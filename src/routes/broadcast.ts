/**
 * Signed transactions on their way into the pool.
 * @source spec/rest-api.md 2.10, 3.4, 4; Waves: api/http/BroadcastRoute.scala
 */
import { formatErrorReply, refusalReply } from "../http/errors.ts";
import { mismatch } from "../http/kind.ts";
import { optional } from "../http/query.ts";
import { json, momentary } from "../http/reply.ts";
import { checkedJson } from "../http/request-body.ts";
import { boolean } from "../http/value-kinds.ts";
import { encodeProtobuf } from "../protocol/transactions/encode-for-block.ts";
import { FormatError } from "../protocol/transactions/format-faults.ts";
import type { Transaction } from "../protocol/transactions/transaction.ts";
import { transactionJson } from "../protocol/transactions/transaction-json.ts";
import { route } from "./context.ts";
import { signedTransactionOf } from "./json/signed-transaction.ts";

const broadcast = route({
  method: "POST",
  path: "/transactions/broadcast",
  query: { trace: optional((text) => text) },
  body: checkedJson,
  handle: async ({ body, query, chainId, chainState, unknownIds }) => {
    let transaction: Transaction;
    try {
      transaction = signedTransactionOf(body, chainId);
    } catch (error) {
      if (error instanceof FormatError) return formatErrorReply(error.fault);
      throw error;
    }
    // Looked at only now: what is wrong with the body is told first.
    const isTraced = query.trace === undefined ? false : boolean(query.trace, chainId);
    if (isTraced === mismatch) return mismatch;
    const answer = await chainState.pool.broadcast(encodeProtobuf(transaction), { isTraced });
    if (answer.accepted) unknownIds.remove(transaction.id);
    const transactionMembers = transactionJson(transaction);
    const trace = isTraced ? { trace: answer.trace ?? [] } : {};
    return answer.accepted
      ? json({ ...transactionMembers, ...trace }, momentary)
      : refusalReply(answer.fault, transactionMembers, trace);
  },
});

export const broadcastRoutes = [broadcast];
