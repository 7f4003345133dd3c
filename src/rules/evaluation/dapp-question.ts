/**
 * What clients ask of a dApp without sending a transaction. The routes ask, `askDApp` answers.
 * @source docs/protocol/rest-api.md 3.15; Waves: api/http/utils/Evaluation.scala
 */
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Payment } from "../../protocol/transactions/transaction.ts";
import type { EvaluationAnswer } from "../../ride/evaluator/evaluation-answer.ts";
import type { CallResult } from "../../ride/results/call-result.ts";
import type { Expression } from "../../ride/script/expression.ts";
import type { Value } from "../../ride/values/value.ts";

/** Of whoever asks without saying who: nobody has this key. */
export const nobodysKey = new Uint8Array(32) as PublicKey;

export type AskedCode =
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

export interface AskedBalance {
  readonly address: Address;
  readonly asset: Asset;
  readonly balance: bigint;
}

export interface DAppQuestion {
  readonly dApp: Address;
  readonly code: AskedCode;
  /** What accounts are taken to own, in place of what they do. */
  readonly balances: readonly AskedBalance[];
  readonly complexityLimit: number;
  /** The time of the call. Few calls come to see it: an answer for which it was not asked holds at any time. */
  readonly nowMs: () => number;
}

export interface AnsweredDApp {
  readonly answer: EvaluationAnswer;
  /** What the call would change. */
  readonly result: CallResult;
}
