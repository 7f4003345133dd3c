/**
 * Errors of requests in the path, the query, the body or the key. `errors.ts` has the API error id, HTTP status and
 * text of each code.
 * @source docs/protocol/rest-api.md 4
 */
import type { WorkExceeded } from "../platform/refused-work.ts";

/** Errors of one field, as in the reference: `error.path.missing`, `error.expected.jsstring`, or free text. */
export interface FieldError {
  readonly msg: readonly string[];
  readonly args: readonly string[];
}

export type ApiErrorDetails =
  /** The body is not JSON; `cause` is the parser's message. */
  | { readonly code: "jsonUnreadable"; readonly cause: string }
  /** The body is JSON, but not an object. */
  | { readonly code: "jsonNoObject" }
  /** The version of a transaction is neither a number nor the text of one; `complaint` as in field errors. */
  | { readonly code: "versionUnreadable"; readonly complaint: string }
  /** Fields of the body are missing or have the wrong type; the keys are paths such as `obj.fee`. */
  | { readonly code: "jsonInvalid"; readonly fields: Readonly<Record<string, readonly FieldError[]>> }
  /**
   * The same, for routes that read the body directly into a type of their own: the reference then reports invalid JSON.
   */
  | { readonly code: "jsonMembersInvalid"; readonly fields: Readonly<Record<string, readonly FieldError[]>> }
  | { readonly code: "apiKeyNotValid" }
  /** More entries than the limit; only some routes name the limit. */
  | { readonly code: "tooBigSequence"; readonly limit: number | undefined }
  | { readonly code: "signatureInvalid" }
  | { readonly code: "addressInvalid" }
  | { readonly code: "publicKeyInvalid" }
  /** The account is not in the wallet. */
  | { readonly code: "senderKeyMissing" }
  | { readonly code: "idsInvalid"; readonly ids: readonly string[] }
  /** A rule without a code of its own; `message` is the whole text. */
  | { readonly code: "requestInvalid"; readonly message: string }
  /** `historyFrom`: height of the node's first block. */
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
  /** The request has both an expression and a call. */
  | { readonly code: "conflictingQuestion" }
  /** Message of the compiler for a source, or of the estimator for a script. */
  | { readonly code: "compilationFailed"; readonly message: string | null }
  /**
   * A component of the node did not respond in time. `readModel`: progress while the read model is rewritten;
   * `behindFork`: the request that a fork's source node did not answer. `exceeded`: refused-work budget that the
   * request would exceed.
   */
  | {
      readonly code: "noTimelyAnswer";
      readonly readModel?: string | undefined;
      readonly behindFork?: string;
      readonly exceeded?: Pick<WorkExceeded, "budget" | "retryAfterMs">;
    };

export type ErrorCode = ApiErrorDetails["code"];

/** A refused request, with an error of the catalogue. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly details: ApiErrorDetails;
  constructor(details: ApiErrorDetails, options?: { cause?: unknown }) {
    super(details.code, options);
    this.details = details;
  }
}
