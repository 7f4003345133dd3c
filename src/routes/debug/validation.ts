/**
 * Validation of transactions without submitting them.
 * @source docs/protocol/rest-api.md 3.10; Waves: api/http/DebugApiRoute.scala (validate)
 */
import { bytesKey, equalBytes } from "../../crypto/bytes.ts";
import { ApiError } from "../../http/api-error.ts";
import { formatErrorResponse, refusalText } from "../../http/errors.ts";
import { checkedObject } from "../../http/request-body.ts";
import { json, momentary } from "../../http/route-response.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import { validationText } from "../../protocol/transactions/format-error-content.ts";
import { parseSignedTransaction } from "../../protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { TraceTooLong } from "../../ride/values/log-json.ts";
import { WorkRefused } from "../../ride/work-refused.ts";
import { AuthorizationExemption } from "../../rules/state/authorization-exemption.ts";
import { HistoryMissing } from "../../rules/state/history-missing.ts";
import { OverlayView } from "../../rules/state/overlay-view.ts";
import { compositeView } from "../../rules/transactions/composite-view.ts";
import { type Validation, validateTransaction } from "../../rules/transactions/validate-transaction.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { isBroken, signedTransactionOf } from "../json/signed-transaction.ts";
import { signedTransaction, validation } from "../schemas/transaction.ts";
import { exampleTransfer } from "../transactions/example-transfer.ts";

interface InvalidInfo {
  readonly height: number;
  readonly trace: readonly JsonObject[];
  readonly elapsedMs: number;
  readonly error: string;
}

function invalidJson({ height, trace, elapsedMs, error }: InvalidInfo, transaction: JsonObject): JsonObject {
  return { valid: false, validationTime: elapsedMs, trace, height, error, transaction };
}

const validate = route({
  method: "POST",
  path: "/debug/validate",
  dependsOn: "pool",
  refusesGet: true,
  body: checkedObject(signedTransaction),
  description: {
    tag: "debug",
    summary: "Validate a transaction",
    notes: "On the tip and the priority pool, without submitting it. Errors of the transaction have status 200.",
    response: validation,
    // Without a suitable body, the request ends at the key guard of private routes.
    errors: ["transactionMalformed", "apiKeyNotValid", "noTimelyAnswer", "requestInvalid"],
    examples: [{ body: exampleTransfer }],
  },
  handle: async ({ body, chainId, network, queryState, chainState, model, nowMs }) => {
    const startedMs = nowMs();
    let transaction: Transaction;
    try {
      transaction = signedTransactionOf(body, chainId, network);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      // Such bodies get the same response as on every other route.
      if (isBroken(error.violation)) return formatErrorResponse(error.violation);
      const { chain } = await model.read();
      const details = { height: chain.height, trace: [], elapsedMs: 0, error: validationText(error.violation) };
      return json(invalidJson(details, body), momentary);
    }
    const { height, trace, result } = await validated(
      transaction,
      { queryState, chainState, chainId, network },
      startedMs,
    );
    const transactionMembers = transactionJson(transaction);
    const elapsedMs = Math.max(Math.round(nowMs() - startedMs), 0);
    if (!result.isValid) {
      const error = refusalText(result.violation);
      return json(invalidJson({ height, trace, elapsedMs, error }, transactionMembers), momentary);
    }
    const head = { valid: true, validationTime: elapsedMs, trace, height };
    return json({ ...head, ...transactionMembers, ...result.members }, momentary);
  },
});

/**
 * Validates on the newest published state. Missing data come from ChainState, which runs no script for it: filled
 * amounts of orders, and the priority pool.
 * @throws StateQueryTooLarge; ApiError noTimelyAnswer: scripts exceed the work limit; requestInvalid: the trace is too
 *   long
 */
async function validated(
  transaction: Transaction,
  { queryState, chainState, chainId, network }: Pick<NodeContext, "queryState" | "chainState" | "chainId" | "network">,
  atMs: number,
): Promise<Validation> {
  const orderFills =
    transaction.type === TransactionType.Exchange
      ? await chainState.node.orderFills([transaction.order1.id, transaction.order2.id])
      : [];
  const { tipId, effects } = await chainState.pool.priorityTransactions();
  const priority = effects.map(({ signedTransaction: bytes, stateSnapshot }) => ({
    transaction: parseSignedTransaction(bytes, chainId),
    stateSnapshot,
  }));
  const exemption = network.isDevChain && (await impersonatedOn(network, chainState));
  try {
    const { value } = await queryState(
      (published) => {
        // Until the tip on which they wait is published, readers see another state.
        const isTip = equalBytes(published.findHeader(published.height)?.id ?? new Uint8Array(), tipId);
        const { view } = compositeView(published, isTip ? priority : []);
        view.apply({ orderFills });
        const target = exemption ? new OverlayView(view, { height: view.height, exemption }) : view;
        return validateTransaction(transaction, target, atMs);
      },
      { runsScripts: true },
    );
    return value;
  } catch (error) {
    if (error instanceof HistoryMissing) throw new ApiError({ code: "requestInvalid", message: error.message });
    if (error instanceof WorkRefused) throw new ApiError({ code: "noTimelyAnswer" }, { cause: error });
    if (error instanceof TraceTooLong) throw new ApiError({ code: "requestInvalid", message: "The trace is too long" });
    throw error;
  }
}

async function impersonatedOn(
  network: NodeContext["network"],
  chainState: NodeContext["chainState"],
): Promise<AuthorizationExemption> {
  const { impersonated } = await chainState.dev.status();
  const accounts = new Set(impersonated.map(bytesKey));
  return AuthorizationExemption.ofDevChain(network, (account) => accounts.has(bytesKey(account)));
}

export const validationRoutes = [validate];
