/**
 * Transfers that a script parses from bytes: keys and asset ids may have sizes that a transaction's must not have.
 * @source Waves: transaction/smart/WavesEnvironment.scala (transferTransactionFromProto),
 *   protobuf/transaction/PBTransactions.scala
 */
import { ADDRESS_BYTES, addressOfPublicKey } from "../../crypto/address.ts";
import { addressOfEthereumKey, ETHEREUM_KEY_BYTES } from "../../crypto/ethereum-key.ts";
import { blake2b256 } from "../../crypto/hash.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { writtenBytes } from "../../protocol/codec/byte-writer.ts";
import { decodeMessage, withoutListLimits } from "../../protocol/codec/protobuf.ts";
import { WireError } from "../../protocol/errors.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import { genesis } from "../../protocol/transactions/genesis.ts";
import { invokeScript } from "../../protocol/transactions/invoke-script.ts";
import { lease } from "../../protocol/transactions/lease.ts";
import { recipient, shortBytes } from "../../protocol/transactions/legacy-fields.ts";
import { massTransfer } from "../../protocol/transactions/mass-transfer.ts";
import {
  type AmountMessage,
  addressOfBytes,
  type RecipientMessage,
  recipientOf,
  refuseField,
} from "../../protocol/transactions/message-fields.ts";
import { payment } from "../../protocol/transactions/payment.ts";
import { findProofsViolation } from "../../protocol/transactions/proofs.ts";
import { encodeTransactionMessage, signedTransactionMessage } from "../../protocol/transactions/signed-transaction.ts";
import { formatOf } from "../../protocol/transactions/table.ts";
import type { Recipient, TransactionFields, TransferTransaction } from "../../protocol/transactions/transaction.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { type TransferData, transfer } from "../../protocol/transactions/transfer.ts";
import type { Environment } from "../evaluator/environment.ts";
import { NativeFailure } from "../execution-error.ts";
import type { ScriptTransfer } from "./transfer.ts";

const publicKeyBytes = 32;
const noAmount: AmountMessage = { assetId: new Uint8Array(0), amount: 0n };

/** Without list limits: addresses in a list are checked before its length. */
const readMessage = withoutListLimits(signedTransactionMessage);

type ReaderEnvironment = Pick<Environment, "chainId" | "addressInMessage">;

/**
 * Transfer of a `SignedTransaction` to a recipient on this chain; undefined if there is none. The message's chain id
 * counts only for the recipient.
 * @throws NativeFailure the transfer has no sender
 * @throws WorkRefused
 */
export function findTransferInProto(bytes: Uint8Array, environment: ReaderEnvironment): ScriptTransfer | undefined {
  try {
    return transferInProto(bytes, environment);
  } catch (error) {
    if (error instanceof WireError || error instanceof FormatError) return undefined;
    throw error;
  }
}

/** @throws WireError, FormatError, NativeFailure */
function transferInProto(bytes: Uint8Array, environment: ReaderEnvironment): ScriptTransfer | undefined {
  const { chainId } = environment;
  const { wavesTransaction: outer, proofs } = decodeMessage(readMessage, bytes);
  if (outer === undefined || findProofsViolation(proofs) !== undefined) return undefined;
  const { senderPublicKey: sender, fee = noAmount } = outer;
  if (![0, publicKeyBytes, ETHEREUM_KEY_BYTES].includes(sender.length)) return undefined;
  const read = (message: RecipientMessage) => readRecipient(message, outer.chainId & 0xff, environment);
  const data = outer[transfer.name] as TransferData | undefined;
  if (data === undefined) readRecipientsOfOthers(outer, read);
  if (data?.recipient === undefined || data.amount === undefined) return undefined;
  const to = read(data.recipient);
  if ((to.kind === "address" ? to.address[1] : to.alias.chainId) !== chainId) return undefined;
  const fields: TransactionFields<TransferTransaction> = {
    type: TransactionType.Transfer,
    version: (outer.version << 24) >> 24,
    chainId,
    sender: sender as PublicKey,
    recipient: to,
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

/** @throws WireError invalid recipient for a reader that expects the message's chain */
function readRecipient(message: RecipientMessage, chainId: number, environment: ReaderEnvironment): Recipient {
  const { publicKeyHash: content } = message;
  if (content === undefined || content.length === publicKeyBytes) return recipientOf("recipient", message, chainId);
  const addressBytes = content.length === ADDRESS_BYTES ? content : addressOfBytes("recipient", content, chainId);
  const address = environment.addressInMessage(addressBytes, chainId);
  return address === undefined ? refuseField("recipient", "no address") : { kind: "address", address };
}

/** Reads the recipients of transactions of other types: later callers depend on the results. */
function readRecipientsOfOthers(
  outer: { readonly [name: string]: unknown },
  read: (message: RecipientMessage) => void,
): void {
  const dataOf = <Data>({ name }: { readonly name: string }) => outer[name] as Data | undefined;
  type OldData = { readonly recipientAddress: Uint8Array };
  const old = dataOf<OldData>(genesis) ?? dataOf<OldData>(payment);
  if (old !== undefined) read({ publicKeyHash: old.recipientAddress, alias: undefined });
  type Item = { readonly recipient?: RecipientMessage; readonly amount: bigint };
  const single = dataOf<Item>(lease)?.recipient ?? dataOf<{ readonly dApp?: RecipientMessage }>(invokeScript)?.dApp;
  if (single !== undefined) read(single);
  for (const item of dataOf<{ readonly transfers: readonly Item[] }>(massTransfer)?.transfers ?? []) {
    if (item.recipient === undefined) return;
    read(item.recipient);
    if (item.amount < 0n) return;
  }
}

function assetOf({ assetId }: AmountMessage): Asset {
  return assetId.length === 0 ? null : (assetId as AssetId);
}

/** Same as `transfer.legacy`, for keys and ids of any size. */
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

/** The error of the reference's virtual machine. */
function withoutSender(isLegacy: boolean): NativeFailure {
  const nullName = isLegacy
    ? 'the return value of "com.wavesplatform.transaction.transfer.TransferTransaction.sender()"'
    : '"$this"';
  return new NativeFailure(
    "java.lang.NullPointerException",
    `Cannot invoke "com.wavesplatform.common.state.ByteStr.arr()" because ${nullName} is null`,
  );
}
