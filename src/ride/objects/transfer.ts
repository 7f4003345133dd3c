/**
 * Transfers as objects of scripts: transfer transactions, transfers of Ethereum wallets, transfers by scripts.
 * @source Waves: transaction/smart/RealTransactionWrapper.scala (mapTransferTx),
 *   lang/v1/evaluator/ctx/impl/waves/Bindings.scala (transferTransactionObject)
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import type { Asset } from "../../protocol/transactions/asset.ts";
import type { Recipient, TransferTransaction } from "../../protocol/transactions/transaction.ts";
import { MAX_VALUE_BYTES, Structure, unit, type Value } from "../values/value.ts";
import { type Entity, type EntityShape, entityFields } from "./entity-fields.ts";
import { recipientObject } from "./recipients.ts";

export interface ScriptTransfer extends Entity {
  readonly recipient: Recipient;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly feeAsset: Asset;
  readonly attachment: Uint8Array;
}

export function transferOf(transaction: TransferTransaction): ScriptTransfer {
  const { sender, chainId } = transaction;
  return { ...transaction, sender: addressOfPublicKey(sender, chainId), senderPublicKey: sender };
}

export function transferObject(transfer: ScriptTransfer, shape: EntityShape): Structure {
  const { recipient, asset, amount, feeAsset, attachment } = transfer;
  return new Structure(
    "TransferTransaction",
    new Map([
      ["amount", amount],
      ["feeAssetId", assetIdValue(feeAsset)],
      ["assetId", assetIdValue(asset)],
      ["attachment", attachment],
      ...entityFields(transfer, shape),
      ["recipient", recipientObject(recipient)],
    ]),
  );
}

/** Value of an asset id. Ids in messages may have any size; those that are too long for a value are omitted. */
function assetIdValue(asset: Asset): Value {
  return asset === null || asset.length > MAX_VALUE_BYTES ? unit : asset;
}
