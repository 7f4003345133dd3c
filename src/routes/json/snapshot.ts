/** Change sets as the interface prints them: new absolute values. @source spec/rest-api.md 3.12; Waves: state/StateSnapshot.scala */
import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodePrefixedBase64 } from "../../crypto/base64.ts";
import { utf8TextWithReplacements } from "../../protocol/codec/utf8.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { TransactionSnapshot } from "../../protocol/snapshots/transaction-snapshot.ts";
import { dataEntryJson } from "../../protocol/transactions/data-entry.ts";
import { applicationStatuses } from "./transaction.ts";

function listJson<Item>(list: readonly Item[] | undefined, json: (item: Item) => JsonObject): readonly JsonObject[] {
  return (list ?? []).map(json);
}

/** @param height of the transaction's block */
export function snapshotJson({ snapshot, status }: TransactionSnapshot, height: number): JsonObject {
  return {
    applicationStatus: applicationStatuses[status],
    balances: listJson(snapshot.balances, ({ address, asset, balance }) => ({
      address: addressText(address),
      asset: asset && encodeBase58(asset),
      balance,
    })),
    leaseBalances: listJson(snapshot.leaseBalances, (change) => ({
      address: addressText(change.address),
      in: change.in,
      out: change.out,
    })),
    assetStatics: listJson(snapshot.assetStatics, ({ assetId, originTransactionId, issuer, decimals, nft }) => ({
      id: encodeBase58(assetId),
      source: encodeBase58(originTransactionId),
      issuer: encodeBase58(issuer),
      decimals,
      nft,
    })),
    assetVolumes: listJson(snapshot.assetVolumes, ({ assetId, reissuable, volume }) => ({
      id: encodeBase58(assetId),
      isReissuable: reissuable,
      volume,
    })),
    assetNamesAndDescriptions: listJson(snapshot.assetTexts, ({ assetId, name, description }) => ({
      id: encodeBase58(assetId),
      name: utf8TextWithReplacements(name),
      description: utf8TextWithReplacements(description),
      lastUpdatedAt: height,
    })),
    // The wire form has no complexity, and the reference prints what it has of it.
    assetScripts: listJson(snapshot.assetScripts, ({ assetId, script, complexity }) => ({
      id: encodeBase58(assetId),
      script: encodePrefixedBase64(script),
      complexity,
    })),
    sponsorships: listJson(snapshot.sponsorships, ({ assetId, minSponsoredAssetFee }) => ({
      id: encodeBase58(assetId),
      minSponsoredAssetFee,
    })),
    newLeases: listJson(snapshot.newLeases, ({ leaseId, sender, recipient, amount, originTransactionId }) => ({
      id: encodeBase58(leaseId),
      sender: encodeBase58(sender),
      recipient: addressText(recipient),
      amount,
      txId: encodeBase58(originTransactionId),
      height,
    })),
    cancelledLeases: listJson(snapshot.cancelledLeases, ({ leaseId, cancelTransactionId }) => ({
      id: encodeBase58(leaseId),
      txId: cancelTransactionId === undefined ? null : encodeBase58(cancelTransactionId),
      height,
    })),
    aliases: listJson(snapshot.aliases, ({ address, alias }) => ({ address: addressText(address), alias: alias.name })),
    orderFills: listJson(snapshot.orderFills, ({ orderId, volume, fee }) => ({
      id: encodeBase58(orderId),
      volume,
      fee,
    })),
    accountScripts: listJson(snapshot.accountScripts, ({ publicKey, script, verifierComplexity }) => ({
      publicKey: encodeBase58(publicKey),
      script: script && encodePrefixedBase64(script),
      verifierComplexity,
    })),
    accountData: listJson(snapshot.accountData, ({ address, entries }) => ({
      address: addressText(address),
      data: entries.map(dataEntryJson),
    })),
  };
}
