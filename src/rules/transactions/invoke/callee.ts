/** Called dApp. @source Waves: state/diffs/invoke/InvokeScriptTransactionDiff.scala (extractInvoke) */
import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { cachedScript } from "../../../ride/evaluator/dapp-program.ts";
import { findPaymentsError } from "../../../ride/objects/invoke-object.ts";
import type { AccountScript, StateView } from "../../state/state-view.ts";
import type { Call } from "./invocation.ts";

export interface Callee {
  readonly account: AccountScript;
  readonly libraryVersion: number;
}

/**
 * @param missing error text for an account without a script
 * @throws RuleError generic
 */
export function getCallee(address: Address, view: StateView, missing: string): Callee {
  const account = view.findAccountScript(address);
  if (account === undefined) throw new RuleError({ code: "generic", message: missing });
  const { content, libraryVersion } = cachedScript(account.script);
  if (content === "dApp") return { account, libraryVersion };
  throw new RuleError({ code: "generic", message: "Trying to call dApp on the account with expression script" });
}

/** Checks that the callee supports this number of payments. @throws RuleError generic */
export function checkPaymentCount({ payments }: Call, { libraryVersion }: Callee, view: StateView): void {
  const allowsSeveral = view.activationHeight(Feature.BlockV5) !== undefined;
  const message = findPaymentsError(payments.length, { libraryVersion, allowsSeveral, script: "DApp" });
  if (message !== undefined) throw new RuleError({ code: "generic", message });
}
