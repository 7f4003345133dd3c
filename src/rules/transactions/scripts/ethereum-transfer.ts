/** Transfers of Ethereum wallets in scripts. @source Waves: transaction/EthereumTransaction.scala (toTransferLike) */
import { ethereumPayload } from "../../../protocol/transactions/ethereum.ts";
import type { EthereumTransaction } from "../../../protocol/transactions/transaction.ts";
import type { ScriptTransfer } from "../../../ride/objects/transfer.ts";
import type { StateView } from "../../state/state-view.ts";

const noBytes = new Uint8Array(0);

/** Undefined: the transaction is a call. An unknown asset counts as WAVES. */
export function ethereumTransferOf(transaction: EthereumTransaction, view: StateView): ScriptTransfer | undefined {
  const payload = ethereumPayload(transaction);
  if (payload.kind !== "transfer") return undefined;
  const { token, recipient: address, amount } = payload;
  const { id, fee, timestamp, sender, senderKey } = transaction;
  return {
    id,
    fee,
    timestamp,
    version: 0,
    sender,
    senderPublicKey: senderKey,
    bodyBytes: noBytes,
    proofs: [],
    recipient: { kind: "address", address },
    asset: token === null ? null : (view.findAssetByErc20Address(token)?.assetId ?? null),
    amount,
    feeAsset: null,
    attachment: noBytes,
  };
}
