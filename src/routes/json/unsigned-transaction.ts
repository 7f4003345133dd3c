/**
 * Unsigned transactions in the bodies of requests.
 * @source Waves: transaction/TransactionFactory.scala (parseRequestAndSign), api/http/package.scala (createTransaction)
 */
import { ApiError } from "../../http/api-error.ts";
import type { ParsedObject } from "../../protocol/parse-json.ts";
import type { JsonForm } from "../../protocol/transactions/format.ts";
import { FormatError, malformed } from "../../protocol/transactions/format-error.ts";
import { parseSenderKey } from "../../protocol/transactions/json-fields.ts";
import * as json from "../../protocol/transactions/json-reader.ts";
import { looseVersion, readFirst } from "../../protocol/transactions/request-members.ts";
import { type AnyFormat, findFormat } from "../../protocol/transactions/table.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { readUnsigned, type UnsignedRequest } from "../../protocol/transactions/unsigned-from-json.ts";
import { checkTransactionScript } from "../../ride/script/check-transaction-script.ts";
import { writtenScript } from "../../ride/script/written-script.ts";

const defaultVersion = 1;

/** A transaction type that requests may have. */
type RequestFormat = AnyFormat & { readonly request: JsonForm<Transaction> };

/** A request to sign, before the sender is known. */
export interface SignRequest extends UnsignedRequest {
  /** Whether the signer is looked up before the values of the transaction are parsed. */
  readonly isSignerFirst: boolean;
}

/** @throws FormatError */
export function signRequestOf(body: ParsedObject, chainId: number): SignRequest {
  const type = readFirst(body, "type", json.byte);
  const version = versionOf(body);
  if (typeof version === "string") throw malformed(`Wrong JSON: (,List(JsonValidationError(List(${version}),List())))`);
  const format = requestFormatOf(type, version);
  if (format === undefined) throw new FormatError({ code: "unsupportedType", type });
  const request = readUnsigned(body, { format, version, chainId, writtenScript });
  return {
    sender: request.sender,
    isSignerFirst: format.request.style === "strict",
    build: (values) => withCheckedScript(request.build(values)),
  };
}

/**
 * Builds the transaction of a sender given by key.
 * @param senderKey base58
 * @throws FormatError, ApiError versionUnreadable
 */
export function unsignedTransactionOf(body: ParsedObject, senderKey: string, chainId: number): Transaction {
  const type = readFirst(body, "type", json.byte);
  const version = versionOf(body);
  if (typeof version === "string") throw new ApiError({ code: "versionUnreadable", complaint: version });
  const sender = parseSenderKey(senderKey);
  const format = requestFormatOf(type, version);
  if (format === undefined) throw malformed(`Unsupported transaction type: ${shortName(type)}`);
  const request = readUnsigned(body, { format, version, chainId, writtenScript });
  return withCheckedScript(request.build({ sender, timestamp: 0n }));
}

/** The version, or the error message for an invalid one. */
function versionOf({ version }: ParsedObject): number | string {
  if (version === undefined || version === null) return defaultVersion;
  return looseVersion(version) ?? (typeof version === "string" ? "Can't parse version" : "error.expected.jsstring");
}

/** Undefined: the type exists, but not in requests. @throws FormatError unknownType */
function requestFormatOf(type: number, version: number): RequestFormat | undefined {
  const format = findFormat(type);
  if (format === undefined) throw new FormatError({ code: "unknownType", type, version });
  return format.request === undefined ? undefined : (format as RequestFormat);
}

function shortName(type: number): string {
  return findFormat(type)?.name.replace(/Transaction$/, "") ?? String(type);
}

function withCheckedScript(transaction: Transaction): Transaction {
  checkTransactionScript(transaction);
  return transaction;
}
