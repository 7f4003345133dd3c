/**
 * Faults of requests: what was wrong with the path, the query, the body or the key. `errors.ts` gives each code its API
 * error id, HTTP status and text.
 * @source docs/protocol/rest-api.md 4
 */
import type { WorkExceeded } from "../platform/refused-work.ts";

/** Errors of one field, as the reference names them: `error.path.missing`, `error.expected.jsstring`, free text. */
export interface FieldError {
  readonly msg: readonly string[];
  readonly args: readonly string[];
}

export type ApiFault =
  /** A body that is not JSON; `cause` is the parser's sentence. */
  | { readonly code: "jsonUnreadable"; readonly cause: string }
  /** A body that is JSON, but no object. */
  | { readonly code: "jsonNoObject" }
  /** A transaction whose version is neither a number nor the text of one; `complaint` as in the errors of fields. */
  | { readonly code: "versionUnreadable"; readonly complaint: string }
  /** A body whose fields are missing or of a wrong kind; the keys are paths such as `obj.fee`. */
  | { readonly code: "jsonInvalid"; readonly fields: Readonly<Record<string, readonly FieldError[]>> }
  /** The same, of routes that read a body straight into their own type: the reference then says that it is no JSON. */
  | { readonly code: "jsonMembersInvalid"; readonly fields: Readonly<Record<string, readonly FieldError[]>> }
  | { readonly code: "apiKeyNotValid" }
  /** More entries than are answered at once; the limit is named by some routes only. */
  | { readonly code: "tooBigSequence"; readonly limit: number | undefined }
  | { readonly code: "signatureInvalid" }
  | { readonly code: "addressInvalid" }
  | { readonly code: "publicKeyInvalid" }
  /** An account that the wallet does not have. */
  | { readonly code: "senderKeyMissing" }
  | { readonly code: "idsInvalid"; readonly ids: readonly string[] }
  /** A rule without a row of its own; `message` is the whole text. */
  | { readonly code: "requestInvalid"; readonly message: string }
  /** `historyFrom`: the node knows no block below this one. */
  | { readonly code: "blockUnknown"; readonly historyFrom?: number }
  | { readonly code: "aliasUnknown"; readonly alias: string }
  | { readonly code: "transactionUnknown"; readonly historyFrom?: number }
  | { readonly code: "dataKeyUnknown" }
  | { readonly code: "dataKeyMissing" }
  | { readonly code: "assetUnknown"; readonly assetId: string }
  | { readonly code: "assetsUnknown"; readonly ids: readonly string[] }
  | { readonly code: "notFinalized" }
  | { readonly code: "transactionIdInvalid"; readonly message: string }
  | { readonly code: "blockIdInvalid"; readonly message: string }
  | { readonly code: "assetIdInvalid" }
  | { readonly code: "assetIdMissing" }
  /** An expression and a call in one question. */
  | { readonly code: "conflictingQuestion" }
  /** The compiler's complaint about a source, or the estimator's about a script. */
  | { readonly code: "compilationFailed"; readonly message: string | null }
  /**
   * A part of the node did not answer in time. `readModel`: how much of it is written, while it is written anew; `behindFork`: what
   * the node behind a fork did not answer. `exceeded`: the budget of refused work that the request would spend.
   */
  | {
      readonly code: "noTimelyAnswer";
      readonly readModel?: string | undefined;
      readonly behindFork?: string;
      readonly exceeded?: Pick<WorkExceeded, "budget" | "retryAfterMs">;
    };

export type ErrorCode = ApiFault["code"];

/** A request that is refused with an error of the catalogue. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly fault: ApiFault;
  constructor(fault: ApiFault, options?: { cause?: unknown }) {
    super(fault.code, options);
    this.fault = fault;
  }
}
