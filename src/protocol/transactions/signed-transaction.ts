/**
 * Transactions in protobuf: `waves.SignedTransaction` around `waves.Transaction` around the data message of the type.
 * @source waves/transaction.proto; Waves: protobuf/transaction/PBTransactions.scala
 */

import type { PublicKey } from "../../crypto/identities.ts";
import { writtenBytes } from "../codec/byte-writer.ts";
import {
  decodeMessage,
  encodeMessage,
  type MessageType,
  message,
  oneOf,
  optional,
  repeated,
  scalar,
  writeDelimited,
} from "../codec/protobuf.ts";
import { FormatError } from "./format-error.ts";
import { limits } from "./limits.ts";
import {
  type AmountMessage,
  amountMessage,
  amountOf,
  assetOfBytes,
  refuseField,
  sizedBytes,
} from "./message-fields.ts";
import { findProofsViolation } from "./proofs.ts";
import { type AnyFormat, allFormats } from "./table.ts";
import type { TransactionFields } from "./transaction.ts";
import type { TransactionSource } from "./transaction-source.ts";

const publicKeyBytes = 32;
/** Sizes of keys that the reference accepts: none, Curve25519, Ethereum wallet. */
const publicKeySizes: ReadonlySet<number> = new Set([0, publicKeyBytes, 64]);
/** One more proof than is allowed, so that the error can report the number. */
const maxProofs = limits.proofs + 1;
const noBytes = new Uint8Array(0);

interface TransactionMessage {
  readonly chainId: number;
  readonly senderPublicKey: Uint8Array;
  readonly fee: AmountMessage | undefined;
  readonly timestamp: bigint;
  readonly version: number;
  /** Data message, under the name of its format; one of them is set. */
  readonly [dataName: string]: unknown;
}

const dataFormats = allFormats.filter((format) => format.data !== undefined);

/** A type that no network has: its message is parsed, and a transaction whose data it is in the end is refused. */
const invokeExpression = oneOf(
  "data",
  119,
  message("InvokeExpressionTransactionData", { expression: scalar(1, "bytes") }),
);

const transactionMessage = message("Transaction", {
  chainId: scalar(1, "int32"),
  senderPublicKey: scalar(2, "bytes"),
  fee: optional(3, amountMessage),
  timestamp: scalar(4, "int64"),
  version: scalar(5, "int32"),
  ...Object.fromEntries(
    dataFormats.map(({ name, data }) => [name, oneOf("data", data?.number as number, data?.message as never)]),
  ),
  invokeExpression,
}) as MessageType<TransactionMessage>;

/** A Waves transaction, or the RLP bytes of an Ethereum one, with proofs. */
export const signedTransactionMessage = message("SignedTransaction", {
  wavesTransaction: oneOf("transaction", 1, transactionMessage),
  ethereumTransaction: oneOf("transaction", 3, "bytes"),
  proofs: repeated(2, "bytes", maxProofs),
});

/** Parsed parts of a Waves transaction, or the RLP bytes of an Ethereum one. */
export type SignedParts =
  | { readonly format: AnyFormat; readonly fields: TransactionFields }
  | { readonly ethereumBytes: Uint8Array };

/** @param networkChainId chain id of orders, which do not write it @throws WireError, FormatError */
export function readSignedTransaction(
  bytes: Uint8Array,
  networkChainId: number,
  { ignoresChainId }: TransactionSource,
): SignedParts {
  const signed = decodeMessage(signedTransactionMessage, bytes);
  if (signed.ethereumTransaction !== undefined) return { ethereumBytes: signed.ethereumTransaction };
  const outer = signed.wavesTransaction ?? refuseField("SignedTransaction.transaction", "missing");
  const format = dataFormats.find(({ name }) => outer[name] !== undefined);
  const form = format?.data;
  if (format === undefined || form === undefined) return refuseField("Transaction.data", "missing or of unknown type");

  const proofsViolation = findProofsViolation(signed.proofs);
  if (proofsViolation !== undefined) throw new FormatError(proofsViolation);
  if (!publicKeySizes.has(outer.senderPublicKey.length))
    refuseField("Transaction.senderPublicKey", `invalid public key length: ${outer.senderPublicKey.length}`);
  const chainId = ignoresChainId ? networkChainId : outer.chainId & 0xff;
  const version = format.hasVersions ? (outer.version << 24) >> 24 : 1;
  const fee = outer.fee ?? { assetId: noBytes, amount: 0n };
  const own = form.fields(outer[format.name], { chainId, networkChainId, version });
  const fields = {
    type: format.type,
    version,
    chainId,
    fee: fee.amount,
    feeAsset: format.paysInAssets === true ? assetOfBytes("Transaction.fee.assetId", fee.assetId) : null,
    timestamp: outer.timestamp,
    ...own,
  } as TransactionFields & { sender?: PublicKey; proofs?: readonly Uint8Array[] };
  if (format.signer !== "nobody") {
    fields.proofs = signed.proofs;
    if (format.senderFollows !== true)
      fields.sender = sizedBytes<PublicKey>("Transaction.senderPublicKey", outer.senderPublicKey, publicKeyBytes);
  }
  return { format, fields };
}

/** `waves.Transaction`: the bytes that the proofs of protobuf versions sign. */
export function encodeTransactionMessage(format: AnyFormat, fields: TransactionFields): Uint8Array {
  const isSent = format.signer !== "nobody";
  return encodeMessage(transactionMessage, {
    chainId: (fields.chainId << 24) >> 24,
    senderPublicKey: "sender" in fields ? fields.sender : noBytes,
    fee: isSent ? amountOf(fields.feeAsset, fields.fee) : undefined,
    timestamp: fields.timestamp,
    version: isSent ? fields.version : 0,
    [format.name]: format.data?.data(fields),
  });
}

/** `waves.SignedTransaction` around an encoded transaction message. */
export function encodeSigned(transactionMessageBytes: Uint8Array, proofs: readonly Uint8Array[]): Uint8Array {
  return writtenBytes((to) => {
    writeDelimited(1, transactionMessageBytes, to);
    for (const proof of proofs) writeDelimited(2, proof, to);
  });
}
