/**
 * Submission of signed transactions to the pool.
 * @source docs/protocol/rest-api.md 2.10, 3.4, 4; Waves: api/http/BroadcastRoute.scala
 */
import { formatErrorResponse, refusalResponse } from "../../http/errors.ts";
import { mismatch } from "../../http/kind.ts";
import { optional } from "../../http/query.ts";
import { checkedJson } from "../../http/request-body.ts";
import { json, momentary } from "../../http/route-response.ts";
import { boolean, booleanText } from "../../http/value-kinds.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { route } from "../../services/context.ts";
import { refuseCrossSite } from "../../services/cross-site.ts";
import { submitToPool } from "../../services/submit-to-pool.ts";
import { signedTransactionOf } from "../json/signed-transaction.ts";
import { broadcastTransaction, signedTransaction } from "../schemas/transaction.ts";
import { exampleTransfer } from "./example-transfer.ts";

const broadcast = route({
  method: "POST",
  path: "/transactions/broadcast",
  dependsOn: "pool",
  query: { trace: optional(booleanText, "Whether to trace scripts.") },
  body: checkedJson(signedTransaction),
  description: {
    tag: "transactions",
    summary: "Broadcast a signed transaction",
    notes:
      "Submits it to the pool, from which it goes into one of the next blocks. A transaction already in the pool is accepted again.",
    response: broadcastTransaction,
    errors: ["transactionMalformed", "transactionRefused"],
    examples: [{ body: exampleTransfer }],
  },
  handle: async ({ body, query, request, ...node }) => {
    const { chainId, network } = node;
    let transaction: Transaction;
    try {
      transaction = signedTransactionOf(body, chainId, network);
    } catch (error) {
      if (error instanceof FormatError) return formatErrorResponse(error.violation);
      throw error;
    }
    const isTraced = query.trace === undefined ? false : boolean.read(query.trace, chainId);
    if (isTraced === mismatch) return mismatch;
    await refuseCrossSite(transaction, request, node);
    const result = await submitToPool(transaction, { isTraced }, node);
    const transactionMembers = transactionJson(transaction);
    const trace = isTraced ? { trace: result.trace ?? [] } : {};
    return result.accepted
      ? json({ ...transactionMembers, ...trace }, momentary)
      : refusalResponse(result.violation, transactionMembers, trace);
  },
});

export const broadcastRoutes = [broadcast];
