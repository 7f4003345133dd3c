/**
 * Transactions that nobody has signed yet, from the JSON of requests.
 * @source docs/protocol/rest-api.md 2.10, 2.11, 3.4, 6 row 17; Waves: transaction/TransactionFactory.scala
 *   (parseRequestAndSign),
 * api/http/package.scala (createTransaction)
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

/** What all requests of a style have in common. */
interface CommonRequest {
  readonly sender: string | null;
  readonly fee: bigint | null;
  readonly timestamp: bigint | null;
  readonly signature?: Uint8Array | null;
  readonly proofs?: readonly Uint8Array[] | null;
}

export interface UnsignedContext {
  /** Of a type that requests may have. */
  readonly format: AnyFormat & { readonly request: JsonForm<Transaction> };
  readonly version: number;
  readonly chainId: number;
  readonly writtenScript: WrittenScript;
}

/** A request whose members are all as they should be. */
export interface UnsignedRequest {
  /** The sender's address, as it was written. */
  readonly sender: string | null;
  /**
   * The transaction, without proofs.
   * @param facts.timestamp ms since the epoch, where the request says none
   * @throws FormatError the first fault of the values
   */
  readonly build: (facts: { readonly sender: PublicKey; readonly timestamp: bigint }) => Transaction;
}

/** @throws FormatError complaints about members, all of them */
export function readUnsigned(body: ParsedObject, context: UnsignedContext): UnsignedRequest {
  const { format, version, chainId, writtenScript } = context;
  const { request } = format;
  const { own: readOwn = request.own } = request.unsigned ?? {};
  // It may be a text, which no other reader takes.
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

/** They are looked at, and left out: whoever signs makes his own. @throws FormatError */
function withoutProofs({ signature = null, proofs = null }: CommonRequest): readonly Uint8Array[] {
  chooseProofs({ signature, proofs });
  return [];
}

/** Answers print the asset of a fee twice: what has it only as `feeAsset` means it, also beside a `feeAssetId` of null. */
function withFeeAsset<Value>(read: json.JsonRead<Value>): json.JsonRead<Value> {
  return (body) => {
    const { feeAsset, feeAssetId } = body as ParsedObject;
    if (feeAsset === undefined || (feeAssetId ?? null) !== null) return read(body);
    const value = read({ ...(body as ParsedObject), feeAssetId: feeAsset });
    return value instanceof json.Refused ? value.renamed(".feeAssetId", ".feeAsset") : value;
  };
}
