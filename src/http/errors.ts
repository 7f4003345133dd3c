/**
 * API response for each error: error id, HTTP status, text, and further members. An error code without an entry does
 * not compile.
 * @source docs/protocol/rest-api.md 4; Waves: api/http/ApiError.scala
 */
import { encodeBase58 } from "../crypto/base58.ts";
import { type ExceededBudget, MAX_REFUSED_COMPLEXITY } from "../platform/refused-work.ts";
import type { BlockViolation } from "../protocol/blocks/block-violation.ts";
import { describeBalanceProblem, describeViolation } from "../protocol/describe-violation.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { FormatViolation } from "../protocol/transactions/format-error.ts";
import { formatErrorContent } from "../protocol/transactions/format-error-content.ts";
import { orderJson } from "../protocol/transactions/order-json.ts";
import type { BalanceProblem, TransactionViolation } from "../protocol/transactions/transaction-violation.ts";
import type { ApiErrorDetails, ErrorCode } from "./api-error.ts";
import type { RouteResponse } from "./route-response.ts";

type DetailsOf<Code extends ApiErrorDetails["code"]> = Extract<ApiErrorDetails, { code: Code }>;

interface ErrorDefinition<Fault> {
  readonly id: number;
  /** Default: 400. */
  readonly status?: number;
  /** Text, or a function of the error with its summary. null: the reference has no text. */
  readonly message: string | { readonly about: string; readonly of: (fault: Fault) => string | null };
  readonly extra?: (fault: Fault) => JsonObject;
}

/** On a node that began with a checkpoint, an object that is not found may still exist. */
function unlessBelow(message: string): ErrorDefinition<{ readonly historyFrom?: number }>["message"] {
  return {
    about: message,
    of: ({ historyFrom = 1 }) =>
      historyFrom > 1
        ? `${message}, or it stands below block ${historyFrom}, the first one that this node has`
        : message,
  };
}

const errorDefinitions: { readonly [Code in ErrorCode]: ErrorDefinition<DetailsOf<Code>> } = {
  jsonUnreadable: {
    id: 1,
    message: "failed to parse json message",
    extra: ({ cause }) => ({ cause, validationErrors: {} }),
  },
  jsonNoObject: {
    id: 1,
    message: "failed to parse json message",
    extra: () => ({ cause: null, validationErrors: { obj: [{ msg: ["error.expected.jsobject"], args: [] }] } }),
  },
  jsonInvalid: {
    id: 1,
    message: "json data validation error, see validationErrors for details",
    extra: ({ fields }) => ({ cause: null, validationErrors: fields as unknown as JsonObject }),
  },
  versionUnreadable: {
    id: 1,
    message: "failed to parse json message",
    extra: ({ complaint }) => ({ cause: null, validationErrors: { obj: [{ msg: [complaint], args: [] }] } }),
  },
  jsonMembersInvalid: {
    id: 1,
    message: "failed to parse json message",
    extra: ({ fields }) => ({ cause: null, validationErrors: fields as unknown as JsonObject }),
  },
  apiKeyNotValid: { id: 2, status: 403, message: "Provided API key is not correct" },
  tooBigSequence: {
    id: 10,
    message: {
      about: "Too big sequence requested",
      of: ({ limit }) => `Too big sequence requested${limit === undefined ? "" : `: max limit is ${limit} entries`}`,
    },
  },
  signatureInvalid: { id: 101, message: "invalid signature" },
  addressInvalid: { id: 102, message: "invalid address" },
  publicKeyInvalid: { id: 108, message: "invalid public key" },
  senderKeyMissing: { id: 115, message: "no private key for sender address in wallet" },
  idsInvalid: {
    id: 116,
    message: {
      about: "Request contains invalid IDs",
      of: ({ ids }) => `Request contains invalid IDs. ${ids.join(", ")}`,
    },
    extra: ({ ids }) => ({ ids }),
  },
  requestInvalid: { id: 199, message: { about: "message of the broken rule", of: ({ message }) => message } },
  blockUnknown: { id: 301, status: 404, message: unlessBelow("block does not exist") },
  aliasUnknown: {
    id: 302,
    status: 404,
    message: { about: "alias doesn't exist", of: ({ alias }) => `alias '${alias}' doesn't exist` },
  },
  conflictingQuestion: {
    id: 198,
    message: "Conflicting request structure. Both expression and invocation structure were sent",
  },
  dataKeyUnknown: { id: 304, status: 404, message: "no data for this key" },
  compilationFailed: { id: 305, message: { about: "message of the compiler", of: ({ message }) => message } },
  transactionUnknown: { id: 311, status: 404, message: unlessBelow("transactions does not exist") },
  assetUnknown: {
    id: 313,
    status: 404,
    message: { about: "Asset does not exist", of: ({ assetId }) => `Asset does not exist: ${assetId}` },
  },
  assetsUnknown: {
    id: 314,
    message: { about: "Asset does not exist", of: ({ ids }) => `Asset does not exist. ${ids.join(", ")}` },
    extra: ({ ids }) => ({ ids }),
  },
  notFinalized: { id: 406, status: 404, message: "Not finalized" },
  transactionIdInvalid: {
    id: 4001,
    message: { about: "error in the transaction id", of: ({ message }) => message },
  },
  blockIdInvalid: { id: 4002, message: { about: "error in the block id", of: ({ message }) => message } },
  assetIdInvalid: { id: 4007, message: "Invalid asset id" },
  dataKeyMissing: { id: 4008, message: "Key was not specified" },
  assetIdMissing: { id: 4009, message: "Asset ID was not specified" },
  noTimelyAnswer: {
    id: 5031,
    status: 503,
    message: "The server was not able to produce a timely response to request",
    extra: ({ readModel, behindFork, exceeded }) => ({
      ...(readModel !== undefined && { readModel }),
      ...(behindFork !== undefined && { behindFork }),
      ...(exceeded !== undefined && { exceeded: exceededText(exceeded.budget) }),
    }),
  },
};

/** Response for an error of the request. */
export function apiErrorResponse(fault: ApiErrorDetails): RouteResponse {
  // The entry of a code takes errors of that code.
  const definition = errorDefinitions[fault.code] as ErrorDefinition<ApiErrorDetails>;
  const message = typeof definition.message === "string" ? definition.message : definition.message.of(fault);
  const value = { error: definition.id, message, ...definition.extra?.(fault) };
  const retry = fault.code === "noTimelyAnswer" && fault.exceeded ? retryHeaders(fault.exceeded.retryAfterMs) : {};
  return { kind: "error", status: definition.status ?? badRequest, value, ...retry };
}

function exceededText(budget: ExceededBudget): string {
  return `refused scripts of the ${budget} have spent the complexity ${MAX_REFUSED_COMPLEXITY[budget]} of this block interval`;
}

function retryHeaders(retryAfterMs: number): Pick<RouteResponse & { kind: "error" }, "headers"> {
  return { headers: { "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) } };
}

/** An error as in the document. */
export interface ErrorInfo {
  readonly id: number;
  readonly status: number;
  /** Message, or its summary. */
  readonly about: string;
}

/** Errors that routes may declare: of single requests, or groups of transaction errors. */
export type DocumentedError = ErrorCode | keyof typeof transactionErrors;

export function errorInfos(error: DocumentedError): readonly ErrorInfo[] {
  if (error === "transactionMalformed" || error === "transactionRefused") return transactionErrors[error];
  const { id, status = badRequest, message } = errorDefinitions[error] as ErrorDefinition<ApiErrorDetails>;
  return [{ id, status, about: typeof message === "string" ? message : message.about }];
}

const badRequest = 400;
/** Statuses of error ids, if not 400. */
const statusOfFormatError: Readonly<Record<number, number>> = { 312: 501 };

/** Response for a transaction that no state could make valid. */
export function formatErrorResponse(violation: FormatViolation): RouteResponse {
  const { error } = formatErrorContent(violation);
  return { kind: "error", status: statusOfFormatError[error] ?? badRequest, value: formatErrorJson(violation) };
}

/** The same error as part of another response. */
export function formatErrorJson(violation: FormatViolation): JsonObject {
  const { error, message, extra } = formatErrorContent(violation);
  return { error, message, ...extra };
}

/**
 * Form in which the API reports a transaction that the state or the pool refuses. `state`: as a failed state check
 * (112), with the transaction and the members of the error. A number: under that id, without the transaction.
 */
type RefusalDefinition<Fault> =
  | "state"
  | number
  | { readonly extra: (fault: Fault) => JsonObject }
  /** Under that id, with the transaction, and with a prefix of the message. */
  | { readonly error: number | ((fault: Fault) => number); readonly prefix: string | ((fault: Fault) => string) };
type RefusalDefinitions = {
  readonly [Code in TransactionViolation["code"]]: RefusalDefinition<Extract<TransactionViolation, { code: Code }>>;
};

const stateCheckFailed = 112;
const balanceErrors = 402;
const customError = 199;
const mistiming = 303;
const scriptFailed = 306;
const refusedByAccount = 307;
const refusedByAsset = 308;
const apiScriptNames = { account: "account-script", asset: "token-script" } as const;

const refusalDefinitions: RefusalDefinitions = {
  generic: "state",
  amountsOverflow: "state",
  tooBig: "state",
  transactionOfOtherNetwork: "state",
  timestampFromFuture: mistiming,
  timestampFromPast: mistiming,
  versionNotSupported: "state",
  featureNotActive: "state",
  alreadyInState: "state",
  feeTooLow: "state",
  feeMissing: "state",
  feeAssetUnknown: "state",
  feeAssetNotSponsored: "state",
  feeAssetNotWaves: "state",
  feeAssetScripted: "state",
  // The reference throws these two, and returns all others.
  feeConversionOverflow: customError,
  callDataUnreadable: customError,
  fundsMissing: "state",
  paymentFundsMissing: "state",
  balancesInvalid: {
    extra: ({ problems }) => ({ details: balanceDetails(problems) }),
  },
  sumOverflow: "state",
  proofCountWrong: "state",
  proofInvalid: "state",
  orderProofInvalid: "state",
  scriptFailed: { error: scriptFailed, prefix: ({ of }) => `Error while executing ${apiScriptNames[of]}: ` },
  scriptRefused: {
    error: ({ of }) => (of === "account" ? refusedByAccount : refusedByAsset),
    prefix: "",
  },
  signatureOfScriptedAccount: "state",
  aliasUnknown: "state",
  aliasDisabled: "state",
  aliasTaken: "state",
  aliasProofsWrong: "state",
  assetUnknown: "state",
  assetOfOtherIssuer: "state",
  assetNotReissuable: "state",
  assetVolumeOverflow: "state",
  assetAlreadyIssued: "state",
  assetTextNotUtf8: "state",
  sponsorshipOfScriptedAsset: "state",
  assetWithoutScript: "state",
  assetInfoUpdateTooEarly: "state",
  assetNotIssued: "state",
  paymentAssetUnknown: "state",
  transferAssetUnknown: "state",
  massTransferAssetUnknown: "state",
  erc20AssetUnknown: "state",
  ethereumKeyInvalid: "state",
  ethereumTransferDataSizeWrong: "state",
  paymentNotAllowed: "state",
  genesisNotFirst: "state",
  leaseToSelf: "state",
  leaseExists: "state",
  leaseExceedsBalance: "state",
  leaseUnknown: "state",
  leaseNotActive: "state",
  leaseOfOtherSender: "state",
  generationPeriodWrong: "state",
  endorserKeyInvalid: "state",
  commitmentSignatureInvalid: "state",
  generatorAlreadyCommitted: "state",
  endorserKeyCommitted: "state",
  generatingBalanceMissing: "state",
  callRejected: { error: scriptFailed, prefix: "Error while executing dApp: " },
  callBreaksRule: "state",
  callAddressInvalid: "state",
  callsExceeded: "state",
  paymentNotPositive: "state",
  orderOverfilled: { extra: ({ order }) => ({ order: orderJson(order) }) },
  orderFeeExceeded: { extra: ({ order }) => ({ order: orderJson(order) }) },
  exchangePriceOutOfOrder: "state",
  matcherFeeNegative: "state",
  matcherFeeAssetUnknown: "state",
  exchangeAssetUnknown: "state",
  exchangeAmountOverflow: "state",
  orderPriceModeNotActive: "state",
  orderAttachmentNotActive: "state",
  orderKeyInvalid: "state",
  orderSignatureFormatInvalid: "state",
  scriptedAssetTradingNotActive: "state",
  scriptedAccountTradingNotActive: "state",
  poolFull: customError,
  poolTakesNoScripted: customError,
  tooFewPeers: customError,
  poolTakesNoneOfSender: customError,
  scriptNotSupported: "state",
};

/** API error id and message of a refusal, and the members besides them. */
interface RefusalInfo {
  readonly error: number;
  readonly message: string;
  /** Members of the error itself; undefined: the response has no transaction either. */
  readonly members: JsonObject | undefined;
}

function refusalInfo(violation: TransactionViolation): RefusalInfo {
  // The entry of a code takes errors of that code.
  const definition = refusalDefinitions[violation.code] as RefusalDefinition<TransactionViolation>;
  const message = describeViolation(violation);
  if (typeof definition === "number") return { error: definition, message, members: undefined };
  if (typeof definition === "object" && "prefix" in definition) {
    const error = typeof definition.error === "number" ? definition.error : definition.error(violation);
    const prefix = typeof definition.prefix === "string" ? definition.prefix : definition.prefix(violation);
    return { error, message: `${prefix}${message}`, members: {} };
  }
  const members = definition === "state" ? {} : definition.extra(violation);
  return { error: stateCheckFailed, message: `State check failed. Reason: ${message}`, members };
}

/** Message of a refusal. */
export function refusalText(violation: TransactionViolation): string {
  return refusalInfo(violation).message;
}

/** @param transaction its JSON @param trailing members that follow, such as the trace */
export function refusalResponse(
  violation: TransactionViolation,
  transaction: JsonObject,
  trailing: JsonObject,
): RouteResponse {
  return { kind: "error", status: badRequest, value: { ...refusalJson(violation, transaction), ...trailing } };
}

/** The same error as part of another response. @param transaction its JSON */
export function refusalJson(violation: TransactionViolation, transaction: JsonObject): JsonObject {
  const { error, message, members } = refusalInfo(violation);
  const extra = members === undefined ? {} : { ...members, transaction };
  return { error, message, ...extra };
}

/** @see standaloneRefusalJson */
export function standaloneRefusalResponse(violation: TransactionViolation): RouteResponse {
  return { kind: "error", status: badRequest, value: standaloneRefusalJson(violation) };
}

function balanceDetails(problems: readonly BalanceProblem[]): JsonObject {
  return Object.fromEntries(
    problems.map((problem) => [encodeBase58(problem.account), describeBalanceProblem(problem)]),
  );
}

/** A refusal reported by itself, and not as a failed check of a transaction. */
export function standaloneRefusalJson(fault: TransactionViolation | BlockViolation): JsonObject {
  if (fault.code === "balancesInvalid") {
    return { error: balanceErrors, message: describeViolation(fault), details: balanceDetails(fault.problems) };
  }
  const error = fault.code === "aliasUnknown" ? errorDefinitions.aliasUnknown.id : errorDefinitions.requestInvalid.id;
  return { error, message: describeViolation(fault) };
}

const errorInfosOf = (texts: Readonly<Record<number, string>>): readonly ErrorInfo[] =>
  Object.entries(texts).map(([id, about]) => ({
    id: Number(id),
    status: statusOfFormatError[Number(id)] ?? badRequest,
    about,
  }));

/** Errors of broadcast and signing routes in the document; a test compares them with recorded responses. */
const transactionErrors = {
  /** `formatErrorResponse` */
  transactionMalformed: errorInfosOf({
    [errorDefinitions.jsonInvalid.id]: "members are missing or of a wrong kind",
    [errorDefinitions.tooBigSequence.id]: "Too big sequence requested",
    [errorDefinitions.addressInvalid.id]: "invalid address",
    107: "an attachment is too long",
    111: "a name is invalid, or an amount negative",
    112: "insufficient fee",
    113: "overflow error",
    114: "Transaction to yourself, or a negative fee of a sponsor",
    115: "an amount is not positive",
    117: "invalid decimals",
    [customError]: "message of the broken rule",
    312: "transaction type not supported",
    403: "Order validation error",
    404: "Wrong chain-id",
    405: "too many proofs, or too long ones",
  }),
  /** `refusalResponse` */
  transactionRefused: errorInfosOf({
    [stateCheckFailed]: "State check failed, with the reason",
    [customError]: "the pool does not accept such a transaction",
    [mistiming]: "the timestamp is too far from the current time",
    [scriptFailed]: "a script failed",
    [refusedByAccount]: "Transaction is not allowed by account-script",
    [refusedByAsset]: "Transaction is not allowed by token-script",
  }),
} as const;

/** Response of last resort: a bug of this node. */
export const unknownErrorResponse: RouteResponse = {
  kind: "error",
  status: 500,
  value: { error: 0, message: "Error is unknown" },
};
