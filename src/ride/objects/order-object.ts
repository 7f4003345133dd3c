/** Orders as objects of scripts. @source Waves: lang/v1/evaluator/ctx/impl/waves/Bindings.scala (orderObject) */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { addressOfEthereumKey, ETHEREUM_KEY_BYTES } from "../../crypto/ethereum-key.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import type { Order } from "../../protocol/transactions/order.ts";
import { Structure, unit, type Value } from "../values/value.ts";
import { type EntityShape, proofList } from "./entity-fields.ts";
import { addressObject } from "./recipients.ts";

const attachmentSince = 8;
/** The only version in which asset scripts see no proofs of orders. */
const proofsHiddenIn = 3;

export function orderObject(order: Order, { libraryVersion, hasProofs }: EntityShape): Structure {
  const { sender, chainId, matcherFeeAsset, amountAsset, priceAsset } = order;
  const owner =
    sender.length === ETHEREUM_KEY_BYTES
      ? addressOfEthereumKey(sender, chainId)
      : addressOfPublicKey(sender as PublicKey, chainId);
  const assetPair = new Map<string, Value>([
    ["amountAsset", amountAsset ?? unit],
    ["priceAsset", priceAsset ?? unit],
  ]);
  const fields: [string, Value][] = [
    ["id", order.id],
    ["sender", addressObject(owner)],
    ["senderPublicKey", sender],
    ["matcherPublicKey", order.matcher],
    ["assetPair", new Structure("AssetPair", assetPair)],
    ["orderType", new Structure(order.side === "buy" ? "Buy" : "Sell", new Map())],
    ["amount", order.amount],
    ["price", order.price],
    ["timestamp", order.timestamp],
    ["expiration", order.expiration],
    ["matcherFee", order.matcherFee],
    ["bodyBytes", order.bodyBytes],
    ["matcherFeeAssetId", matcherFeeAsset ?? unit],
  ];
  if (hasProofs || libraryVersion !== proofsHiddenIn) fields.push(["proofs", proofList(order.proofs)]);
  if (libraryVersion >= attachmentSince) fields.push(["attachment", order.attachment ?? unit]);
  return new Structure("Order", new Map(fields));
}
