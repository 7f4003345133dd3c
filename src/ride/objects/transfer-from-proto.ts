/**
 * Transfers that a script reads from bytes: sizes of keys and of asset ids are not what a transaction's would have to be.
 * @source Waves: transaction/smart/WavesEnvironment.scala (transferTransactionFromProto), protobuf/transaction/PBTransactions.scala
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import { addressOfEthereumKey, ETHEREUM_KEY_BYTES } from "../../crypto/ethereum-key.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { writtenBytes } from "../../protocol/codec/byte-writer.ts";
import { decodeMessage } from "../../protocol/codec/protobuf.ts";
import { WireError } from "../../protocol/faults.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import { FormatError } from "../../protocol/transactions/format-faults.ts";
import { recipient, shortBytes } from "../../protocol/transactions/legacy-fields.ts";
import { type AmountMessage, recipientOf } from "../../protocol/transactions/message-fields.ts";
import { findProofsFault } from "../../protocol/transactions/proofs.ts";
import { encodeTransactionMessage, signedTransactionMessage } from "../../protocol/transactions/signed-transaction.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type { TransactionFields, TransferTransaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { type TransferData, transfer } from "../../protocol/transactions/transfer.ts";
import { NativeFailure } from "../execution-error.ts";
import type { ScriptTransfer } from "./transfer.ts";

const publicKeyBytes = 32;
const noAmount: AmountMessage = { assetId: new Uint8Array(0), amount: 0n };

/**
 * The transfer that a `SignedTransaction` of this chain holds; undefined: there is none.
 * @throws NativeFailure there is one without a sender
 */
export function findTransferInProto(bytes: Uint8Array, chainId: number): ScriptTransfer | undefined {
  try {
    return transferInProto(bytes, chainId);
  } catch (error) {
    if (error instanceof WireError || error instanceof FormatError) return undefined;
    throw error;
  }
}

/** @throws WireError, FormatError, NativeFailure */
function transferInProto(bytes: Uint8Array, chainId: number): ScriptTransfer | undefined {
  const { wavesTransaction: outer, proofs } = decodeMessage(signedTransactionMessage, bytes);
  const data = outer?.[transfer.name] as TransferData | undefined;
  if (outer === undefined || data?.amount === undefined) return undefined;
  const { senderPublicKey: sender, fee = noAmount } = outer;
  if ((outer.chainId & 0xff) !== chainId || findProofsFault(proofs) !== undefined) return undefined;
  if (![0, publicKeyBytes, ETHEREUM_KEY_BYTES].includes(sender.length)) return undefined;
  const fields: TransactionFields<TransferTransaction> = {
    type: TransactionType.Transfer,
    version: (outer.version << 24) >> 24,
    chainId,
    sender: sender as PublicKey,
    recipient: recipientOf("recipient", data.recipient, chainId),
    asset: assetOf(data.amount),
    amount: data.amount.amount,
    feeAsset: assetOf(fee),
    fee: fee.amount,
    attachment: data.attachment,
    timestamp: outer.timestamp,
    proofs,
  };
  transfer.check(fields);
  const isLegacy = Object.hasOwn(transfer.legacy, fields.version);
  if (sender.length === 0) throw withoutSender(isLegacy);
  const bodyBytes = isLegacy ? legacyBody(fields) : encodeTransactionMessage(formatOf(fields.type), fields);
  return {
    ...fields,
    id: blake2b256(bodyBytes),
    bodyBytes,
    sender:
      sender.length === ETHEREUM_KEY_BYTES
        ? addressOfEthereumKey(sender, chainId)
        : addressOfPublicKey(fields.sender, chainId),
    senderPublicKey: sender,
  };
}

function assetOf({ assetId }: AmountMessage): Asset {
  return assetId.length === 0 ? null : (assetId as AssetId);
}

/** As `transfer.legacy` says, for keys and ids of any size. */
function legacyBody(fields: TransactionFields<TransferTransaction>): Uint8Array {
  return writtenBytes((to) => {
    to.u8(fields.type);
    if (fields.version > 1) to.u8(fields.version);
    to.bytes(fields.sender);
    for (const asset of [fields.asset, fields.feeAsset]) {
      to.u8(asset === null ? 0 : 1);
      if (asset !== null) to.bytes(asset);
    }
    to.i64(fields.timestamp);
    to.i64(fields.amount);
    to.i64(fields.fee);
    recipient.write(fields.recipient, to);
    shortBytes.write(fields.attachment, to);
  });
}

/** In the words of the reference's machine. */
function withoutSender(isLegacy: boolean): NativeFailure {
  const nothing = isLegacy
    ? 'the return value of "com.wavesplatform.transaction.transfer.TransferTransaction.sender()"'
    : '"$this"';
  return new NativeFailure(
    "java.lang.NullPointerException",
    `Cannot invoke "com.wavesplatform.common.state.ByteStr.arr()" because ${nothing} is null`,
  );
}
