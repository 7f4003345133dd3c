/** Type 17: renames an asset. @source Waves: transaction/assets/UpdateAssetInfoTransaction.scala */

import { encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import { Feature } from "../../network/features.ts";
import { type MessageOf, message, scalar } from "../codec/protobuf.ts";
import { utf8Bytes } from "../codec/utf8.ts";
import type { Asset, AssetId } from "./asset.ts";
import { checkAssetDescription, checkAssetName, checkFee } from "./checks.ts";
import { dataForm, type TransactionFormat } from "./format.ts";
import { check, malformed } from "./format-error.ts";
import { assetIdText, chainIdJson, proofsList } from "./json-fields.ts";
import * as json from "./json-reader.ts";
import { assetIdOfBytes } from "./message-fields.ts";
import type { UpdateAssetInfoTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const assetIdBytes = 32;
/** Longest base58 text of 32 bytes. */
const assetIdCharacters = 44;

const updateAssetInfoData = message(
  "UpdateAssetInfoTransactionData",
  { assetId: scalar(1, "bytes"), name: scalar(2, "string"), description: scalar(3, "string") },
  { unknown: "refuse" },
);

const texts = {
  name: json.required(json.text),
  description: json.required(json.text),
  feeAssetId: json.nullable(json.text),
};
const request = json.object({
  chainId: json.required(json.byte),
  assetId: json.required(assetIdText),
  ...texts,
});
const unsignedRequest = json.object({
  chainId: json.required(json.byte),
  senderPublicKey: json.nullable(json.text),
  assetId: json.required(json.text),
  ...texts,
  proofs: json.nullable(proofsList),
});

export const updateAssetInfo: TransactionFormat<UpdateAssetInfoTransaction> = {
  type: TransactionType.UpdateAssetInfo,
  name: "UpdateAssetInfoTransaction",
  signer: "account",
  hasVersions: true,
  maxVersion: 1,
  protobufSince: 1,
  feature: Feature.BlockV5,
  feeUnits: 1,
  paysInAssets: true,
  checkedAssets: ({ asset }) => [asset],
  legacy: {},
  data: dataForm<UpdateAssetInfoTransaction, MessageOf<typeof updateAssetInfoData>>({
    number: 117,
    message: updateAssetInfoData,
    fields: ({ assetId, name, description }) => ({ asset: assetIdOfBytes("assetId", assetId), name, description }),
    data: (tx) => ({ assetId: tx.asset, name: tx.name, description: tx.description }),
  }),
  // Printed in every version; if the common members have it, it stays in their position.
  json: (tx) => ({
    chainId: chainIdJson(tx),
    assetId: encodeBase58(tx.asset),
    name: tx.name,
    description: tx.description,
  }),
  request: {
    style: "strict",
    defaultVersion: "required",
    own: json.refined(request, (own) => () => ({
      asset: own.assetId,
      name: own.name,
      description: own.description,
      feeAsset: parseFeeAsset(own.feeAssetId),
      chainId: own.chainId & 0xff,
    })),
    unsigned: {
      senderOptional: true,
      own: json.refined(unsignedRequest, (own) => () => ({
        asset: parseId(own.assetId),
        name: own.name,
        description: own.description,
        feeAsset: parseFeeAsset(own.feeAssetId),
        chainId: own.chainId & 0xff,
      })),
    },
  },
  check: (tx) => {
    checkFee(tx.fee);
    for (const asset of [tx.asset, tx.feeAsset]) {
      check(asset === null || asset.length === assetIdBytes, () => ({ code: "invalidAssetId" }));
    }
    checkAssetName(utf8Bytes(tx.name));
    checkAssetDescription(utf8Bytes(tx.description));
  },
};

function parseFeeAsset(base58: string | null): Asset {
  return base58 === null ? null : parseId(base58);
}

/** Parses an id of any length, which is validated later. @throws FormatError malformed */
function parseId(base58: string): AssetId {
  const id = base58.length > assetIdCharacters ? undefined : parseBase58(base58);
  if (!(id instanceof Uint8Array)) throw malformed("invalid.assetId");
  return id as Uint8Array as AssetId;
}
