/**
 * Faults of form: what is wrong with a transaction before any state is looked at, as JSON, as bytes or as a value.
 * `format-fault-text.ts` gives each the API error id and the text of the reference.
 * @source docs/protocol/rest-api.md 1.5, 3.4, 4; Waves: transaction/TxValidationError.scala, api/http/ApiError.scala
 */

import type { Asset } from "./asset.ts";
import type { Order } from "./order.ts";

/** One complaint about a value in a JSON body: message key or text, and its arguments. */
export interface JsonComplaint {
  readonly message: string;
  readonly args: readonly string[];
}
/** Complaints by path, as `obj.order1.amount`, in the order they are reported. */
export type JsonComplaints = ReadonlyMap<string, readonly JsonComplaint[]>;

/** What an amount is of: the native token, "assets", "asset", one asset, or an asset as Ethereum wallets know it. */
export type AmountOf = "waves" | "Waves" | "assets" | "asset" | `0x${string}` | NonNullable<Asset>;

export type FormatFault =
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
  /** Of an Ethereum wallet's signature: 65 or 129 bytes are expected. */
  | { readonly code: "orderSignatureSizeWrong"; readonly sizeBytes: number }
  | { readonly code: "tooManyProofs"; readonly count: number; readonly max: number }
  | { readonly code: "proofTooBig"; readonly sizeBytes: number; readonly maxBytes: number }
  | { readonly code: "unsupportedType"; readonly type: number }
  | { readonly code: "unknownType"; readonly type: number; readonly version: number }
  | { readonly code: "emptyDataKey" }
  | { readonly code: "duplicateDataKeys" }
  | { readonly code: "invalidAssetId" }
  | { readonly code: "scriptUnreadable"; readonly reason: string }
  /** A rule without facts of its own; `message` is the whole text of the reference. */
  | { readonly code: "malformed"; readonly message: string };

export type FormatFaultCode = FormatFault["code"];

/** A transaction that no state could make valid. */
export class FormatError extends Error {
  override readonly name = "FormatError";
  readonly fault: FormatFault;
  constructor(fault: FormatFault, options?: { cause?: unknown }) {
    super(fault.code, options);
    this.fault = fault;
  }
}

/** Throws the fault unless the condition holds. */
export function check(condition: boolean, fault: () => FormatFault): asserts condition {
  if (!condition) throw new FormatError(fault());
}

/** @see FormatFault malformed */
export function malformed(message: string): FormatError {
  return new FormatError({ code: "malformed", message });
}
