/**
 * Signed transactions from the JSON of requests.
 * @source spec/rest-api.md 1.5, 3.4; Waves: transaction/TransactionFactory.scala (fromSignedRequest), api/http/requests/**
 */
import { equalBytes } from "../../crypto/bytes.ts";
import { jsonText } from "../json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../parse-json.ts";
import { assembleTransaction } from "./assemble-transaction.ts";
import type { JsonForm } from "./format.ts";
import { FormatError, malformed } from "./format-faults.ts";
import { parseSenderKey, proofsList } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { findProofsFault } from "./proofs.ts";
import { findFormat } from "./table.ts";
import type { Transaction, TransactionFields } from "./transaction.ts";
import { asItIs, type WrittenScript } from "./transaction-source.ts";

const lenientMembers = {
  version: json.nullable(json.byte),
  sender: json.nullable(json.text),
  senderPublicKey: json.nullable(json.text),
  fee: json.required(json.long),
  timestamp: json.nullable(json.long),
  signature: json.nullable(json.byteString),
  proofs: json.nullable(proofsList),
};
const strictMembers = {
  version: json.nullable(json.byte),
  senderPublicKey: json.required(json.text),
  fee: json.required(json.long),
  timestamp: json.required(json.long),
  proofs: json.required(proofsList),
};
const withOptionalFee = { fee: json.withDefault(json.nullable(json.long), null) };
const withVersion = { version: json.required(json.byte) };

/** What all requests of a style have in common. */
interface CommonRequest {
  readonly version: number | null;
  readonly senderPublicKey: string | null;
  readonly fee: bigint | null;
  readonly timestamp: bigint | null;
  readonly signature?: Uint8Array | null;
  readonly proofs: readonly Uint8Array[] | null;
}

/**
 * The transaction in the body of a broadcast or validation request.
 * @param body as `parseJson` gives it
 * @param chainId of the network
 * @param writtenScript by default scripts stay as they are
 * @throws FormatError: complaints about members first (all of them), then the first fault of the values
 */
export function transactionFromJson(
  body: ParsedJson,
  chainId: number,
  writtenScript: WrittenScript = asItIs,
): Transaction {
  const type = readType(body);
  const request = body as ParsedObject;
  const requestChainId = valueOr(json.byte, request["chainId"], undefined);
  if (requestChainId !== undefined && (requestChainId & 0xff) !== chainId) {
    throw new FormatError({ code: "wrongChain", expected: (chainId << 24) >> 24, got: requestChainId });
  }
  const statedVersion = readLooseVersion(request["version"]);
  const format = findFormat(type);
  if (format === undefined) {
    throw new FormatError({ code: "unknownType", type, version: statedVersion });
  }
  if (format.request === undefined) throw new FormatError({ code: "unsupportedType", type });

  const { defaultVersion } = format.request;
  const [common, own] = readBoth(format.request, request);
  const version = common.version ?? (defaultVersion as number);
  const sender = parseSender(common);
  const fields = {
    type,
    version,
    chainId,
    sender,
    fee: common.fee ?? 0n,
    feeAsset: null,
    timestamp: common.timestamp ?? 0n,
    ...own({ chainId, version, statedVersion, writtenScript }),
    proofs: chooseProofs(common),
  } as TransactionFields;
  return assembleTransaction(format, fields);
}

function readType(body: ParsedJson): number {
  if (!isJsonObject(body)) throw json.complaintsError(json.refuse(`${jsonText(body)} is not an object`));
  const type = body["type"];
  if (type === undefined) {
    throw json.complaintsError(json.refuseUndefined("type", body));
  }
  const value = json.byte(type);
  if (value instanceof json.Refused) throw json.complaintsError(value);
  return value;
}

/** The version in texts only: any integer cut to a byte, or a text of digits. */
function readLooseVersion(version: ParsedJson | undefined): number {
  if (typeof version === "bigint") return Number(BigInt.asIntN(8, version));
  if (typeof version === "string" && /^[+-]?\d{1,3}$/.test(version)) {
    const value = Number(version);
    if (value >= -128 && value <= 127) return value;
  }
  return 1;
}

function readBoth(
  form: JsonForm<Transaction>,
  request: ParsedObject,
): [CommonRequest, Exclude<ReturnType<JsonForm<Transaction>["own"]>, json.Refused>] {
  const members = {
    ...(form.style === "lenient" ? lenientMembers : strictMembers),
    ...(form.feeOptional ? withOptionalFee : {}),
    ...(form.defaultVersion === "required" ? withVersion : {}),
  };
  const common = json.object(members)(request);
  const own = form.own(request);
  if (common instanceof json.Refused || own instanceof json.Refused) {
    const refused = [common, own].filter((each) => each instanceof json.Refused);
    throw json.complaintsError(new json.Refused(refused.flatMap((each) => each.complaints)));
  }
  return [common, own];
}

function parseSender({ senderPublicKey }: CommonRequest) {
  if (senderPublicKey === null) throw malformed("invalid.senderPublicKey");
  return parseSenderKey(senderPublicKey);
}

/** A signature alone is the only proof; beside proofs it must be the first of them. */
function chooseProofs({ signature, proofs }: CommonRequest): readonly Uint8Array[] {
  const first = proofs?.[0];
  if (signature && first !== undefined && !equalBytes(first, signature)) {
    throw malformed("Both proofs and signature are provided, but proofs do not match signature");
  }
  const chosen = proofs ?? (signature ? [signature] : []);
  const fault = findProofsFault(chosen);
  if (fault !== undefined) throw new FormatError(fault);
  return chosen;
}

function valueOr<Value, Other>(read: json.JsonRead<Value>, member: ParsedJson | undefined, other: Other) {
  if (member === undefined) return other;
  const value = read(member);
  return value instanceof json.Refused ? other : value;
}
