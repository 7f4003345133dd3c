/**
 * Evaluation requests of clients to a dApp, without a transaction. The routes make them, `evaluateDApp` evaluates them.
 * @source docs/protocol/rest-api.md 3.15; Waves: api/http/utils/Evaluation.scala
 */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Payment } from "../../protocol/transactions/transaction.ts";
import type { EvaluationResult } from "../../ride/evaluator/evaluation-result.ts";
import type { CallResult } from "../../ride/results/call-result.ts";
import type { Expression } from "../../ride/script/expression.ts";
import type { Value } from "../../ride/values/value.ts";

/** Key of an anonymous sender: it has no owner. */
export const anonymousKey = new Uint8Array(32) as PublicKey;

export type EvaluatedCode =
  | { readonly kind: "expression"; readonly expression: Expression }
  | {
      readonly kind: "call";
      readonly function: string;
      readonly args: readonly Value[];
      readonly sender: Address;
      readonly senderPublicKey: Uint8Array;
      readonly transactionId: Uint8Array;
      readonly feeWavelets: bigint;
      readonly feeAsset: Asset;
      readonly payments: readonly Payment[];
    };

export interface AssumedBalance {
  readonly address: Address;
  readonly asset: Asset;
  readonly balance: bigint;
}

export interface DAppEvaluationRequest {
  readonly dApp: Address;
  readonly code: EvaluatedCode;
  /** Assumed balances, which override the accounts' own. */
  readonly balances: readonly AssumedBalance[];
  readonly complexityLimit: number;
  /** Time of the call. Few calls read it; the result of one that does not is valid at any time. */
  readonly nowMs: () => number;
}

export interface DAppEvaluation {
  readonly evaluation: EvaluationResult;
  /** Changes that the call would make. */
  readonly result: CallResult;
}
