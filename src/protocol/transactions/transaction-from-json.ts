/**
 * Signed transactions from the JSON of requests.
 * @source docs/protocol/rest-api.md 1.5, 3.4; Waves: transaction/TransactionFactory.scala (fromSignedRequest),
 *   api/http/requests/**
 */
import type { ParsedJson, ParsedObject } from "../parse-json.ts";
import type { JsonForm } from "./format.ts";
import { FormatError, malformed } from "./format-error.ts";
import { parseSenderKey, proofsList } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import {
  chooseProofs,
  lenientMembers,
  looseVersion,
  readBoth,
  readFirst,
  requestedTransaction,
  withOptionalFee,
} from "./request-members.ts";
import { findFormat } from "./table.ts";
import type { Transaction } from "./transaction.ts";
import { asItIs, type WrittenScript } from "./transaction-source.ts";

const strictMembers = {
  version: json.nullable(json.byte),
  senderPublicKey: json.required(json.text),
  fee: json.required(json.long),
  timestamp: json.required(json.long),
  proofs: json.required(proofsList),
};
const membersOfStyle = {
  lenient: lenientMembers,
  strict: strictMembers,
  keyed: {
    ...strictMembers,
    ...withOptionalFee,
    timestamp: json.nullable(json.long),
    proofs: json.nullable(proofsList),
  },
};
const withVersion = { version: json.required(json.byte) };

/** Common members of all request styles. */
interface CommonRequest {
  readonly version: number | null;
  readonly senderPublicKey: string | null;
  readonly fee: bigint | null;
  readonly timestamp: bigint | null;
  readonly signature?: Uint8Array | null;
  readonly proofs: readonly Uint8Array[] | null;
}

/**
 * Transaction in the body of a broadcast or validation request.
 * @param body result of `parseJson`
 * @param chainId of the network
 * @param writtenScript by default scripts stay unchanged
 * @throws FormatError all complaints about members, otherwise the first violation
 */
export function transactionFromJson(
  body: ParsedJson,
  chainId: number,
  writtenScript: WrittenScript = asItIs,
): Transaction {
  const type = readFirst(body, "type", json.byte);
  const request = body as ParsedObject;
  const requestChainId = valueOr(json.byte, request["chainId"], undefined);
  if (requestChainId !== undefined && (requestChainId & 0xff) !== chainId) {
    throw new FormatError({ code: "wrongChain", expected: (chainId << 24) >> 24, got: requestChainId });
  }
  const statedVersion = looseVersion(request["version"]) ?? 1;
  const format = findFormat(type);
  if (format === undefined) {
    throw new FormatError({ code: "unknownType", type, version: statedVersion });
  }
  if (format.request === undefined) throw new FormatError({ code: "unsupportedType", type });

  const { defaultVersion } = format.request;
  const [common, own] = readBoth(commonMembers(format.request), format.request.own, request);
  const version = common.version ?? (defaultVersion as number);
  const sender = parseSender(common);
  return requestedTransaction(format, own, {
    ...{ chainId, version, statedVersion, writtenScript, sender },
    fee: common.fee,
    timestamp: common.timestamp ?? 0n,
    proofs: () => chooseProofs(common),
  });
}

function commonMembers(form: JsonForm<Transaction>): json.JsonRead<CommonRequest> {
  return json.object({
    ...membersOfStyle[form.style],
    ...(form.feeOptional ? withOptionalFee : {}),
    ...(form.defaultVersion === "required" ? withVersion : {}),
  });
}

function parseSender({ senderPublicKey }: CommonRequest) {
  if (senderPublicKey === null) throw malformed("invalid.senderPublicKey");
  return parseSenderKey(senderPublicKey);
}

function valueOr<Value, Other>(read: json.JsonRead<Value>, member: ParsedJson | undefined, other: Other) {
  if (member === undefined) return other;
  const value = read(member);
  return value instanceof json.Refused ? other : value;
}
