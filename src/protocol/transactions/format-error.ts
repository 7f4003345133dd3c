/**
 * Format violations: errors in a transaction that are independent of the state, in JSON, in bytes or in a value.
 * `format-fault-text.ts` has the API error id and the reference's text of each.
 * @source docs/protocol/rest-api.md 1.5, 3.4, 4; Waves: transaction/TxValidationError.scala, api/http/ApiError.scala
 */

import type { Asset } from "./asset.ts";
import type { Order } from "./order.ts";

/** One complaint about a value in a JSON body: message key or text, and its arguments. */
export interface JsonComplaint {
  readonly message: string;
  readonly args: readonly string[];
}
/** Complaints by path, such as `obj.order1.amount`, in the order of the response. */
export type JsonComplaints = ReadonlyMap<string, readonly JsonComplaint[]>;

/** Unit of an amount: the native token, "assets", "asset", one asset, or an asset by its Ethereum address. */
export type AmountOf = "waves" | "Waves" | "assets" | "asset" | `0x${string}` | NonNullable<Asset>;

export type FormatViolation =
  /** A member is missing or of the wrong type. */
  | { readonly code: "jsonInvalid"; readonly complaints: JsonComplaints }
  | { readonly code: "wrongChain"; readonly expected: number; readonly got: number }
  | { readonly code: "nonPositiveAmount"; readonly amount: bigint; readonly of: AmountOf }
  | { readonly code: "negativeAmount"; readonly amount: bigint; readonly of: AmountOf }
  | { readonly code: "negativeMinFee"; readonly minFee: bigint }
  | { readonly code: "insufficientFee"; readonly fee: bigint }
  | { readonly code: "invalidDecimals"; readonly decimals: number; readonly maxDecimals: number }
  | { readonly code: "invalidAddress"; readonly reason: string }
  | { readonly code: "invalidName"; readonly sizeBytes: number; readonly minBytes: number; readonly maxBytes: number }
  | { readonly code: "tooBigArray"; readonly what: string; readonly size: number; readonly max: number }
  | { readonly code: "attachmentTooBig"; readonly sizeBytes: number; readonly maxBytes: number }
  | { readonly code: "amountsOverflow" }
  | { readonly code: "transferToSelf" }
  | { readonly code: "orderInvalid"; readonly order: Order; readonly reason: string }
  /** Signature of an Ethereum wallet: 65 or 129 bytes are expected. */
  | { readonly code: "orderSignatureSizeWrong"; readonly sizeBytes: number }
  | { readonly code: "tooManyProofs"; readonly count: number; readonly max: number }
  | { readonly code: "proofTooBig"; readonly sizeBytes: number; readonly maxBytes: number }
  | { readonly code: "unsupportedType"; readonly type: number }
  | { readonly code: "unknownType"; readonly type: number; readonly version: number }
  | { readonly code: "emptyDataKey" }
  | { readonly code: "duplicateDataKeys" }
  | { readonly code: "invalidAssetId" }
  | { readonly code: "scriptUnreadable"; readonly reason: string }
  /** A rule without values of its own; `message` is the whole text of the reference. */
  | { readonly code: "malformed"; readonly message: string };

export type FormatViolationCode = FormatViolation["code"];

/** A transaction that is invalid in every state. */
export class FormatError extends Error {
  override readonly name = "FormatError";
  readonly violation: FormatViolation;
  constructor(violation: FormatViolation, options?: { cause?: unknown }) {
    super(violation.code, options);
    this.violation = violation;
  }
}

/** Throws the violation unless the condition is true. */
export function check(condition: boolean, violation: () => FormatViolation): asserts condition {
  if (!condition) throw new FormatError(violation());
}

/** @see FormatViolation malformed */
export function malformed(message: string): FormatError {
  return new FormatError({ code: "malformed", message });
}
