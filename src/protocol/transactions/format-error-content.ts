/**
 * API error id and text of each format violation, as in the reference.
 * @source docs/protocol/rest-api.md 4; Waves: api/http/ApiError.scala
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import type { JsonObject } from "../json.ts";
import type { AmountOf, FormatViolation, FormatViolationCode, JsonComplaints } from "./format-error.ts";
import { orderJson } from "./order-json.ts";
import { proofsText } from "./proofs.ts";

/** Content of an API error response: error id, message, and further members. */
export interface FormatErrorContent {
  readonly error: number;
  readonly message: string;
  readonly extra: JsonObject;
}

/** Text of a violation in `/debug/validate`: the API's text, except for one that the API does not print in full. */
export function validationText(violation: FormatViolation): string {
  return violation.code === "orderSignatureSizeWrong"
    ? "Order validation error: eip712Signature should be of length 65 or 129"
    : formatErrorContent(violation).message;
}

type ViolationOf<Code extends FormatViolationCode> = Extract<FormatViolation, { code: Code }>;
type ContentTable = { [Code in FormatViolationCode]: (violation: ViolationOf<Code>) => FormatErrorContent };

const contents: ContentTable = {
  jsonInvalid: ({ complaints }) => ({
    error: 1,
    message: "json data validation error, see validationErrors for details",
    extra: { cause: null, validationErrors: complaintsJson(complaints) },
  }),
  wrongChain: ({ expected, got }) => plain(404, `Wrong chain-id. Expected - ${expected}, provided - ${got}`),
  nonPositiveAmount: ({ amount, of }) => plain(115, `non-positive amount: ${amount} of ${ofText(of)}`),
  negativeAmount: ({ amount, of }) => plain(111, `negative amount: ${amount} of ${ofText(of)}`),
  negativeMinFee: ({ minFee }) => plain(114, `negative fee per: ${minFee} per asset`),
  insufficientFee: () => plain(112, "insufficient fee"),
  invalidDecimals: ({ decimals, maxDecimals }) =>
    plain(117, `invalid decimals value: ${decimals}, decimals should be in interval [0; ${maxDecimals}]`),
  invalidAddress: () => plain(102, "invalid address"),
  invalidName: () => plain(111, "invalid name"),
  tooBigArray: () => plain(10, "Too big sequence requested"),
  attachmentTooBig: ({ sizeBytes, maxBytes }) =>
    plain(107, `Invalid attachment. Length ${sizeBytes} bytes exceeds maximum of ${maxBytes} bytes.`),
  amountsOverflow: () => plain(113, "overflow error"),
  transferToSelf: () => plain(114, "Transaction to yourself"),
  orderInvalid: ({ order, reason }) => ({
    error: 403,
    message: `Order validation error: ${reason}`,
    extra: { order: orderJson(order) },
  }),
  orderSignatureSizeWrong: ({ sizeBytes }) => plain(199, `Unexpected signature length: ${sizeBytes}`),
  tooManyProofs: (violation) => plain(405, proofsText(violation)),
  proofTooBig: (violation) => plain(405, proofsText(violation)),
  unsupportedType: () => plain(312, "transaction type not supported"),
  unknownType: ({ type, version }) => plain(199, `Bad transaction type (${type}) and version (${version})`),
  emptyDataKey: () => plain(199, "Empty key found"),
  duplicateDataKeys: () => plain(199, "Duplicated keys found"),
  invalidAssetId: () => plain(199, "InvalidAssetId"),
  scriptUnreadable: ({ reason }) => plain(199, `ScriptParseError(${reason})`),
  malformed: ({ message }) => plain(199, message),
};

/**
 * Content of the API's error response to a format violation. The HTTP status follows from the error id (400, for 312:
 * 501).
 */
export function formatErrorContent(violation: FormatViolation): FormatErrorContent {
  return (contents[violation.code] as (violation: FormatViolation) => FormatErrorContent)(violation);
}

function plain(error: number, message: string): FormatErrorContent {
  return { error, message, extra: {} };
}

function ofText(of: AmountOf): string {
  return typeof of === "string" ? of : encodeBase58(of);
}

function complaintsJson(complaints: JsonComplaints): JsonObject {
  return Object.fromEntries(
    Array.from(complaints, ([path, list]) => [path, list.map(({ message, args }) => ({ msg: [message], args }))]),
  );
}
