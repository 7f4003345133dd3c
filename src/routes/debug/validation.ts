/**
 * Validation of transactions without submitting them.
 * @source docs/protocol/rest-api.md 3.10; Waves: api/http/DebugApiRoute.scala (validate)
 */
import { bytesKey, equalBytes } from "../../crypto/bytes.ts";
import { ApiError } from "../../http/api-error.ts";
import { formatErrorReply, refusalText } from "../../http/errors.ts";
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
import { viewAfter } from "../../rules/transactions/composite-view.ts";
import { type Validation, validateTransaction } from "../../rules/transactions/validate-transaction.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { isBroken, signedTransactionOf } from "../json/signed-transaction.ts";
import { signedTransaction, validation } from "../schemas/transaction.ts";
import { exampleTransfer } from "../transactions/example-transfer.ts";

interface InvalidFacts {
  readonly height: number;
  readonly trace: readonly JsonObject[];
  readonly elapsedMs: number;
  readonly error: string;
}

function invalidJson({ height, trace, elapsedMs, error }: InvalidFacts, transaction: JsonObject): JsonObject {
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
    answer: validation,
    // Without a suitable body, the request ends at the key guard of private routes.
    errors: ["transactionMalformed", "apiKeyNotValid", "noTimelyAnswer", "requestInvalid"],
    examples: [{ body: exampleTransfer }],
  },
  handle: async ({ body, chainId, network, askState, chainState, model, nowMs }) => {
    const startedMs = nowMs();
    let transaction: Transaction;
    try {
      transaction = signedTransactionOf(body, chainId, network);
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      // Such bodies get the same response as on every other route.
      if (isBroken(error.fault)) return formatErrorReply(error.fault);
      const { chain } = await model.read();
      const details = { height: chain.height, trace: [], elapsedMs: 0, error: validationText(error.fault) };
      return json(invalidJson(details, body), momentary);
    }
    const { height, trace, outcome } = await judged(transaction, { askState, chainState, chainId, network }, startedMs);
    const transactionMembers = transactionJson(transaction);
    const elapsedMs = Math.max(Math.round(nowMs() - startedMs), 0);
    if (!outcome.isValid) {
      const error = refusalText(outcome.fault);
      return json(invalidJson({ height, trace, elapsedMs, error }, transactionMembers), momentary);
    }
    const head = { valid: true, validationTime: elapsedMs, trace, height };
    return json({ ...head, ...transactionMembers, ...outcome.members }, momentary);
  },
});

/**
 * Validates on the newest published state. Missing data come from ChainState, which runs no script for it: filled
 * amounts of orders, and the priority pool.
 * @throws QuestionTooLarge; ApiError noTimelyAnswer: scripts exceed the work limit; requestInvalid: the trace is too
 *   long
 */
async function judged(
  transaction: Transaction,
  { askState, chainState, chainId, network }: Pick<NodeContext, "askState" | "chainState" | "chainId" | "network">,
  atMs: number,
): Promise<Validation> {
  const orderFills =
    transaction.type === TransactionType.Exchange
      ? await chainState.node.orderFills([transaction.order1.id, transaction.order2.id])
      : [];
  const { tipId, effects } = await chainState.pool.returned();
  const priority = effects.map(({ signedTransaction: bytes, changeSet }) => ({
    transaction: parseSignedTransaction(bytes, chainId),
    changeSet,
  }));
  const exemption = network.isDevChain && (await impersonatedOn(network, chainState));
  try {
    const { answer } = await askState(
      (published) => {
        // Until the tip on which they wait is published, readers see another state.
        const isTip = equalBytes(published.findHeader(published.height)?.id ?? new Uint8Array(), tipId);
        const { view } = viewAfter(published, isTip ? priority : []);
        view.apply({ orderFills });
        const target = exemption ? new OverlayView(view, { height: view.height, exemption }) : view;
        return validateTransaction(transaction, target, atMs);
      },
      { runsScripts: true },
    );
    return answer;
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
