/**
 * Assets as the interface prints them.
 * @source docs/protocol/rest-api.md 3.12; Waves: api/http/assets/AssetsApiRoute.scala
 */

import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodePrefixedBase64 } from "../../crypto/base64.ts";
import type { Address } from "../../crypto/identities.ts";
import { utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { parseSignedTransaction, parseTransaction } from "../../protocol/transactions/parse-transaction.ts";
import type { Transaction } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import type { StoredAsset } from "../../read-model/asset.ts";
import { parseScript } from "../../ride/script/script-bytes.ts";
import { treeText } from "../../ride/script/tree-text.ts";

/** Transaction that issued the asset, directly or through a script. */
function originOf({ origin }: StoredAsset, chainId: number): Transaction | undefined {
  if (origin === undefined) return undefined;
  return origin.isProtobuf ? parseSignedTransaction(origin.bytes, chainId) : parseTransaction(origin.bytes, chainId);
}

export function issuerOf({ issuer }: StoredAsset, chainId: number): Address {
  return addressOfPublicKey(issuer, chainId);
}

/** @param isFull whether to include the script */
export function assetDetailsJson(asset: StoredAsset, chainId: number, isFull: boolean): JsonObject {
  const { script } = asset;
  return {
    assetId: encodeBase58(asset.id),
    issueHeight: asset.issueHeight,
    issueTimestamp: originOf(asset, chainId)?.timestamp ?? null,
    issuer: addressText(issuerOf(asset, chainId)),
    issuerPublicKey: encodeBase58(asset.issuer),
    name: utf8TextWithReplacements(asset.name),
    description: utf8TextWithReplacements(asset.description),
    decimals: asset.decimals,
    reissuable: asset.reissuable,
    quantity: asset.volume,
    scripted: script !== undefined,
    minSponsoredAssetFee: asset.minSponsoredAssetFee === 0n ? null : asset.minSponsoredAssetFee,
    originTransactionId: encodeBase58(asset.originTransactionId),
    sequenceInBlock: asset.sequenceInBlock,
    ...(isFull &&
      script && {
        scriptDetails: {
          scriptComplexity: asset.scriptComplexity,
          script: encodePrefixedBase64(script),
          scriptText: treeText(parseScript(script)),
        },
      }),
  };
}

/** An Issue transaction inside a balance; an asset issued by a script has none. */
function issueTransactionJson(asset: StoredAsset, chainId: number): JsonObject {
  const origin = originOf(asset, chainId);
  if (origin?.type !== TransactionType.Issue) return {};
  const { type, id, fee, feeAssetId, timestamp, version, chainId: printed, ...rest } = transactionJson(origin);
  const { signature, ...own } = rest as JsonObject;
  const head = { type, id, fee, feeAssetId, timestamp, version, chainId: printed ?? null } as JsonObject;
  return { issueTransaction: { ...head, ...own, ...(signature !== undefined && { signature }) } };
}

/** @param sponsorBalance WAVES with which the issuer can pay fees, wavelets */
export function holdingJson(
  { asset, balance, sponsorBalance }: { asset: StoredAsset; balance: bigint; sponsorBalance: bigint },
  chainId: number,
): JsonObject {
  const { minSponsoredAssetFee } = asset;
  return {
    assetId: encodeBase58(asset.id),
    reissuable: asset.reissuable,
    ...(minSponsoredAssetFee !== 0n && { minSponsoredAssetFee, sponsorBalance }),
    quantity: asset.volume,
    ...issueTransactionJson(asset, chainId),
    balance,
    sequenceInBlock: asset.sequenceInBlock,
  };
}
