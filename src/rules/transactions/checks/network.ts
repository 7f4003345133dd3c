/** Network of a transaction. @source Waves: state/diffs/CommonValidation.scala (disallowFromAnotherNetwork) */
import { RuleError } from "../../../protocol/errors.ts";
import type { Transaction } from "../../../protocol/transactions/transaction.ts";
import type { StateView } from "../../state/state-view.ts";

/** @throws RuleError transactionOfOtherNetwork */
export function checkNetwork({ chainId }: Transaction, view: StateView): void {
  const expected = view.settings.chainId;
  if (chainId !== expected) throw new RuleError({ code: "transactionOfOtherNetwork", expected, got: chainId });
}
