/**
 * What the readers of requests have in common, whether their transactions are signed or not.
 * @source docs/protocol/rest-api.md 1.5, 3.4; Waves: api/http/package.scala (versionReads)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { jsonText } from "../json.ts";
import { isJsonObject, type ParsedJson, type ParsedObject } from "../parse-json.ts";
import { assembleTransaction } from "./assemble-transaction.ts";
import { feeUnitWavelets } from "./fee-units.ts";
import type { JsonContext, JsonFields } from "./format.ts";
import { FormatError, malformed } from "./format-faults.ts";
import { proofsList } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { findProofsFault } from "./proofs.ts";
import type { AnyFormat } from "./table.ts";
import type { Transaction, TransactionFields } from "./transaction.ts";

/** Of types 3 to 10: key and timestamp are missed only later, and a signature may stand for the proofs. */
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

/** A signature alone is the only proof; beside proofs it must be the first of them. @throws FormatError */
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
  const fault = findProofsFault(chosen);
  if (fault !== undefined) throw new FormatError(fault);
  return chosen;
}

/** A member that is asked for before all others. @throws FormatError */
export function readFirst<Value>(body: ParsedJson, name: string, read: json.JsonRead<Value>): Value {
  if (!isJsonObject(body)) throw json.complaintsError(json.refuse(`${jsonText(body)} is not an object`));
  const member = body[name];
  const value = member === undefined ? json.refuseUndefined(name, body) : read(member);
  if (value instanceof json.Refused) throw json.complaintsError(value);
  return value;
}

/** Reads the members in common and those of the type, and gathers the complaints about both. @throws FormatError */
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

/** What is left to know of a request's transaction once its members are read. */
export interface RequestedValues extends JsonContext {
  readonly sender: PublicKey;
  readonly fee: bigint | null;
  /** ms since the epoch. */
  readonly timestamp: bigint;
  /** Asked for behind the type's own members: what is wrong with those is told first. */
  readonly proofs: () => readonly Uint8Array[];
}

/** @param own what follows from the type's own members @throws FormatError the first fault of the values */
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
    fee: fee ?? feeLeftOut(format),
    feeAsset: null,
    timestamp,
    ...own(context),
    proofs: proofs(),
  } as TransactionFields;
  return assembleTransaction(format, fields);
}

/** Mostly it is refused later. */
function feeLeftOut({ request, feeUnits }: AnyFormat): bigint {
  return request?.style === "keyed" ? BigInt(feeUnits) * feeUnitWavelets : 0n;
}

/** The version where it may be told in any way: an integer, cut to a byte, or a text of digits. */
export function looseVersion(version: ParsedJson | undefined): number | undefined {
  if (typeof version === "bigint" && version === BigInt.asIntN(32, version)) return Number(BigInt.asIntN(8, version));
  if (typeof version === "string" && /^[+-]?\d+$/.test(version)) {
    const value = Number(version);
    if (value >= -128 && value <= 127) return value;
  }
  return undefined;
}
