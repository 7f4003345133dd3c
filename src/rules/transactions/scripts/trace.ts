/**
 * Results of a transaction's scripts, step by step.
 * @source Waves: transaction/smart/script/trace/TraceStep.scala
 */

import { addressText } from "../../../crypto/address.ts";
import { encodeBase58 } from "../../../crypto/base58.ts";
import type { Address } from "../../../crypto/identities.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { AssetId } from "../../../protocol/transactions/asset.ts";
import type { LogEntry } from "../../../ride/evaluator/evaluation-log.ts";
import type { CallResultStyle } from "../../../ride/results/call-result-json.ts";
import { logJson } from "../../../ride/values/log-json.ts";

/** Role of an asset in the transaction. */
export type AssetRole =
  | "unknown"
  | "orderAmount"
  | "orderPrice"
  | "matcherFee"
  | "payment"
  | "reissue"
  | "burn"
  | "sponsor"
  | "transfer"
  | "updateInfo";

/** Failure of a step. */
export interface StepFailure {
  /** Null: the script returned false. */
  readonly error: string | null;
  /** Undefined if no script ran. */
  readonly log: readonly LogEntry[] | undefined;
}

export type VerifierStep =
  | { readonly kind: "verifier"; readonly address: Address; readonly failure: StepFailure | undefined }
  | {
      readonly kind: "asset";
      readonly assetId: AssetId;
      readonly role: AssetRole;
      readonly failure: StepFailure | undefined;
    };

/** Step of another kind, which prints itself. */
export interface PrintedStep {
  readonly kind: "printed";
  readonly json: (isLogged: boolean, style?: CallResultStyle) => JsonObject;
}

export type TraceStep = VerifierStep | PrintedStep;

/**
 * @param isLogged whether steps of calls contain their computed values
 * @param style format of their results
 */
export function traceStepJson(step: TraceStep, isLogged: boolean, style?: CallResultStyle): JsonObject {
  if (step.kind === "printed") return step.json(isLogged, style);
  const head =
    step.kind === "verifier"
      ? { type: "verifier", id: addressText(step.address) }
      : { type: "asset", context: step.role, id: encodeBase58(step.assetId) };
  return { ...head, ...stepResultJson(step.failure) };
}

export function stepResultJson(failure: StepFailure | undefined): JsonObject {
  if (failure === undefined) return { result: "success", error: null };
  const { error, log } = failure;
  return { result: "failure", ...(log === undefined ? {} : { vars: logJson(log) }), error };
}
