/**
 * Transactions as the REST API prints them. The routes add the members that depend on the chain (height, status, state
 * changes).
 * @source docs/protocol/rest-api.md 3.2, 3.3; Waves: transaction/serialization/impl/BaseTxJson.scala
 */

import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import type { JsonObject } from "../json.ts";
import { assetJson, chainIdJson } from "./json-fields.ts";
import { carriesSignature } from "./legacy-form.ts";
import { hasProofs, hasSender } from "./signer.ts";
import { type AnyFormat, formatOf } from "./table.ts";
import type { Transaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

/** The transaction's own members, in the order of the reference. */
export function transactionJson(tx: Transaction): JsonObject {
  const format = formatOf(tx.type);
  return {
    type: tx.type,
    id: encodeBase58(tx.id),
    fee: tx.fee,
    ...(hasSender(tx) ? { feeAssetId: assetJson(tx.feeAsset) } : {}),
    timestamp: tx.timestamp,
    ...(format.protobufSince === undefined ? {} : { version: tx.version }),
    ...(printsChainIdFirst(format, tx) ? { chainId: chainIdJson(tx) } : {}),
    ...senderJson(format, tx),
    ...format.json(tx),
    ...(tx.version === format.chainIdLastInVersion ? { chainId: chainIdJson(tx) } : {}),
  };
}

/** Whether the chain id follows the version: in versions with protobuf as their own form. */
function printsChainIdFirst(format: AnyFormat, { version }: Transaction): boolean {
  return format.protobufSince !== undefined && version >= format.protobufSince;
}

function senderJson(format: AnyFormat, tx: Transaction): JsonObject {
  if (!hasProofs(tx)) return {};
  const printsSignature = tx.type !== TransactionType.Payment && carriesSignature(format, tx.version);
  return {
    sender: addressText(addressOfPublicKey(tx.sender, tx.chainId)),
    senderPublicKey: encodeBase58(tx.sender),
    proofs: tx.proofs.map(encodeBase58),
    ...(printsSignature ? { signature: encodeBase58(tx.proofs[0] ?? new Uint8Array(0)) } : {}),
  };
}
