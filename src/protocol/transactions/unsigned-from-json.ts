/**
 * Unsigned transactions from the JSON of requests.
 * @source docs/protocol/rest-api.md 2.10, 2.11, 3.4, 6 row 17; Waves: transaction/TransactionFactory.scala
 *   (parseRequestAndSign), api/http/package.scala (createTransaction)
 */
import type { PublicKey } from "../../crypto/identities.ts";
import type { ParsedObject } from "../parse-json.ts";
import type { JsonForm } from "./format.ts";
import * as json from "./json-reader.ts";
import { chooseProofs, lenientMembers, readBoth, requestedTransaction, withOptionalFee } from "./request-members.ts";
import type { AnyFormat } from "./table.ts";
import type { Transaction } from "./transaction.ts";
import type { WrittenScript } from "./transaction-source.ts";

const strictMembers = {
  sender: json.required(json.text),
  fee: json.required(json.long),
  timestamp: json.nullable(json.long),
};
const withOptionalSender = { sender: json.nullable(json.text) };

/** Common members of all request styles. */
interface CommonRequest {
  readonly sender: string | null;
  readonly fee: bigint | null;
  readonly timestamp: bigint | null;
  readonly signature?: Uint8Array | null;
  readonly proofs?: readonly Uint8Array[] | null;
}

export interface UnsignedContext {
  /** Format of a type with a request form. */
  readonly format: AnyFormat & { readonly request: JsonForm<Transaction> };
  readonly version: number;
  readonly chainId: number;
  readonly writtenScript: WrittenScript;
}

/** A request with valid members. */
export interface UnsignedRequest {
  /** Address of the sender, as in the request. */
  readonly sender: string | null;
  /**
   * The transaction, without proofs.
   * @param inputs.timestamp ms since the epoch, used if the request has none
   * @throws FormatError the first violation
   */
  readonly build: (inputs: { readonly sender: PublicKey; readonly timestamp: bigint }) => Transaction;
}

/** @throws FormatError all complaints about members */
export function readUnsigned(body: ParsedObject, context: UnsignedContext): UnsignedRequest {
  const { format, version, chainId, writtenScript } = context;
  const { request } = format;
  const { own: readOwn = request.own } = request.unsigned ?? {};
  // The version may be text, which the other parsers do not accept.
  const versioned = { ...body, version: BigInt(version) };
  const [common, own] = readBoth(commonMembers(request), withFeeAsset(readOwn), versioned);
  return {
    sender: common.sender,
    build: ({ sender, timestamp }) =>
      requestedTransaction(format, own, {
        ...{ chainId, version, statedVersion: version, writtenScript, sender },
        fee: common.fee,
        timestamp: common.timestamp ?? timestamp,
        proofs: () => withoutProofs(common),
      }),
  };
}

function commonMembers(form: JsonForm<Transaction>): json.JsonRead<CommonRequest> {
  return json.object({
    ...(form.style === "strict" ? strictMembers : lenientMembers),
    ...(form.feeOptional || form.style === "keyed" ? withOptionalFee : {}),
    ...(form.unsigned?.senderOptional ? withOptionalSender : {}),
  });
}

/** Validates the proofs and drops them: the signer makes new ones. @throws FormatError */
function withoutProofs({ signature = null, proofs = null }: CommonRequest): readonly Uint8Array[] {
  chooseProofs({ signature, proofs });
  return [];
}

/** Accepts the fee's asset as `feeAsset`, also next to a null `feeAssetId`: responses print it under both names. */
function withFeeAsset<Value>(read: json.JsonRead<Value>): json.JsonRead<Value> {
  return (body) => {
    const { feeAsset, feeAssetId } = body as ParsedObject;
    if (feeAsset === undefined || (feeAssetId ?? null) !== null) return read(body);
    const value = read({ ...(body as ParsedObject), feeAssetId: feeAsset });
    return value instanceof json.Refused ? value.renamed(".feeAssetId", ".feeAsset") : value;
  };
}
