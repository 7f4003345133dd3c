/** Calls by accounts' transactions. @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala */
import { RuleError } from "../../../protocol/errors.ts";
import type { InvokeScriptTransaction } from "../../../protocol/transactions/transaction.ts";
import { ScriptNotSupported } from "../../../ride/execution-error.ts";
import type { ScriptInvoke } from "../../../ride/objects/invoke-object.ts";
import { invokeOf } from "../../../ride/objects/transaction-object.ts";
import type { StateView } from "../../state/state-view.ts";
import type { BlockContext } from "../block-context.ts";
import type { TransactionEffect } from "../effect.ts";
import { FailOrReject } from "../failed-transaction.ts";
import { applyInvoke } from "./invoke-transaction.ts";
import { asRuleError } from "./refusal-text.ts";

/** @throws FailedTransaction, RuleError */
export function applyInvokeScript(
  transaction: InvokeScriptTransaction,
  view: StateView,
  context: BlockContext,
): TransactionEffect {
  return invoked(invokeOf(transaction), view, context);
}

/** @throws FailedTransaction, RuleError */
export function invoked(root: ScriptInvoke, view: StateView, context: BlockContext): TransactionEffect {
  try {
    const { snapshot, complexity, result } = applyInvoke(root, view, context);
    return { snapshot, spentComplexity: complexity, callResult: result };
  } catch (error) {
    if (error instanceof ScriptNotSupported) {
      throw new RuleError({ code: "scriptNotSupported", reason: error.message }, { cause: error });
    }
    throw error instanceof FailOrReject ? asRuleError(error) : error;
  }
}
