/**
 * Shared parts of the parsers of signed and unsigned requests.
 * @source docs/protocol/rest-api.md 1.5, 3.4; Waves: api/http/package.scala (versionReads)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { jsonText } from "../json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../parse-json.ts";
import { assembleTransaction } from "./assemble-transaction.ts";
import { feeUnitWavelets } from "./fee-units.ts";
import type { JsonContext, JsonFields } from "./format.ts";
import { FormatError, malformed } from "./format-error.ts";
import { proofsList } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { findProofsViolation } from "./proofs.ts";
import type { AnyFormat } from "./table.ts";
import type { Transaction, TransactionFields } from "./transaction.ts";

/**
 * Common members of types 3 to 10: a missing key or timestamp is reported only later, and a signature may replace the
 * proofs.
 */
export const lenientMembers = {
  version: json.nullable(json.byte),
  sender: json.nullable(json.text),
  senderPublicKey: json.nullable(json.text),
  fee: json.required(json.long),
  timestamp: json.nullable(json.long),
  signature: json.nullable(json.byteString),
  proofs: json.nullable(proofsList),
};
export const withOptionalFee = { fee: json.withDefault(json.nullable(json.long), null) };

/**
 * Proofs of a request: a signature alone is the only proof; next to proofs it must equal the first one.
 * @throws FormatError
 */
export function chooseProofs({
  signature,
  proofs,
}: {
  readonly signature?: Uint8Array | null;
  readonly proofs: readonly Uint8Array[] | null;
}): readonly Uint8Array[] {
  const first = proofs?.[0];
  if (signature && first !== undefined && !equalBytes(first, signature)) {
    throw malformed("Both proofs and signature are provided, but proofs do not match signature");
  }
  const chosen = proofs ?? (signature ? [signature] : []);
  const violation = findProofsViolation(chosen);
  if (violation !== undefined) throw new FormatError(violation);
  return chosen;
}

/** Reads a member before all others. @throws FormatError */
export function readFirst<Value>(body: ParsedJson, name: string, read: json.JsonRead<Value>): Value {
  if (!isJsonObject(body)) throw json.complaintsError(json.refuse(`${jsonText(body)} is not an object`));
  const member = body[name];
  const value = member === undefined ? json.refuseUndefined(name, body) : read(member);
  if (value instanceof json.Refused) throw json.complaintsError(value);
  return value;
}

/** Parses the common members and those of the type, and collects the complaints about both. @throws FormatError */
export function readBoth<Common, Own>(
  common: json.JsonRead<Common>,
  own: json.JsonRead<Own>,
  request: ParsedObject,
): [Common, Own] {
  const values = [common(request), own(request)] as const;
  const refused = values.filter((value) => value instanceof json.Refused);
  if (refused.length > 0) throw json.complaintsError(new json.Refused(refused.flatMap(({ complaints }) => complaints)));
  return values as [Common, Own];
}

/** Values of a request's transaction apart from the type's own members. */
export interface RequestedValues extends JsonContext {
  readonly sender: PublicKey;
  readonly fee: bigint | null;
  /** Milliseconds since the epoch. */
  readonly timestamp: bigint;
  /** Called after the type's own members are parsed: their errors take precedence. */
  readonly proofs: () => readonly Uint8Array[];
}

/** @param own fields from the type's own members @throws FormatError the first violation */
export function requestedTransaction(
  format: AnyFormat,
  own: (context: JsonContext) => JsonFields<Transaction>,
  { sender, fee, timestamp, proofs, ...context }: RequestedValues,
): Transaction {
  const { chainId, version } = context;
  const fields = {
    type: format.type,
    version,
    chainId,
    sender,
    fee: fee ?? defaultFeeOf(format),
    feeAsset: null,
    timestamp,
    ...own(context),
    proofs: proofs(),
  } as TransactionFields;
  return assembleTransaction(format, fields);
}

/** Fee of a request without one; mostly 0, which is refused later. */
function defaultFeeOf({ request, feeUnits }: AnyFormat): bigint {
  return request?.style === "keyed" ? BigInt(feeUnits) * feeUnitWavelets : 0n;
}

/** Version in any accepted notation: an integer, cut to a byte, or a text of digits. */
export function looseVersion(version: ParsedJson | undefined): number | undefined {
  if (typeof version === "bigint" && version === BigInt.asIntN(32, version)) return Number(BigInt.asIntN(8, version));
  if (typeof version === "string" && /^[+-]?\d+$/.test(version)) {
    const value = Number(version);
    if (value >= -128 && value <= 127) return value;
  }
  return undefined;
}
