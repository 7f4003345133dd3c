/**
 * Micro-blocks as bytes. Their signed bytes have the same binary form in all versions. Peers exchange that form for
 * versions below 5, and protobuf `waves.SignedMicroBlock` for version 5. The protobuf form has no bounds except its
 * size: neither the number of transactions nor the version is checked, so it may contain a micro-block of an older
 * version, too.
 * @source docs/protocol/consensus-and-finality.md 1.8; Waves: block/serialization/MicroBlockSerializer.scala,
 *   protobuf/block/PBMicroBlocks.scala
 */

import type { Digest, PublicKey, Signature } from "../../crypto/identities.ts";
import type { BlockId, MicroBlock } from "../blocks/block.ts";
import { parseBlockTransactions } from "../blocks/block-transactions.ts";
import { BlockVersion } from "../blocks/block-version.ts";
import { encodeVoting, messageOfVoting, votingMessageType, votingOfMessage } from "../blocks/finalization-voting.ts";
import { underField } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";
import { bytes, bytesWithLength, type Codec, decode, i8, i32, list, sized, struct } from "../codec/codec.ts";
import { decodeMessage, encodeMessage, message, optional, repeated, scalar } from "../codec/protobuf.ts";
import { RuleError, WireError } from "../errors.ts";
import { encodeForBlock, encodeProtobuf } from "../transactions/encode-for-block.ts";
import { present, sizedBytes } from "../transactions/message-fields.ts";
import { parseSignedTransaction, parseTransaction } from "../transactions/parse-transaction.ts";
import { ownRecords, type TransactionSource } from "../transactions/transaction-source.ts";
import { TransactionType } from "../transactions/transaction-type.ts";

/** Limit of the older form. */
const maxTransactions = 500;
const digestSize = 32;
const publicKeySize = 32;
const signatureSize = 64;

const microBlockMessageType = message("microBlock", {
  version: scalar(1, "int32"),
  reference: scalar(2, "bytes"),
  totalBlockSignature: scalar(3, "bytes"),
  sender: scalar(4, "bytes"),
  transactions: repeated(5, "bytes"),
  stateHash: scalar(6, "bytes"),
  finalizationVoting: optional(7, votingMessageType),
});
const signedMicroBlockMessageType = message("signedMicroBlock", {
  microBlock: optional(1, microBlockMessageType),
  signature: scalar(2, "bytes"),
  totalBlockId: scalar(3, "bytes"),
});

const transactionList = sized(i32, list(i32, bytesWithLength(i32), maxTransactions));
/** List as in blocks of these versions: the count is a signed byte. */
const shortTransactionList = sized(i32, list(i8, bytesWithLength(i32)));
const transactionListOf = (version: number) => (version < BlockVersion.Ng ? shortTransactionList : transactionList);
const legacyLayoutOf = (version: number, referenceSize = signatureSize) =>
  struct({
    version: i8,
    reference: bytes<BlockId>(referenceSize),
    totalBlockSignature: bytes<Signature>(signatureSize),
    transactions: transactionListOf(version),
    sender: bytes<PublicKey>(publicKeySize),
    signature: bytes<Signature>(signatureSize),
  });

/**
 * Parses a micro-block in the older form, the payload of message 28. Any version below 5 is accepted: a network may
 * have NG before its blocks have the version for it.
 * @throws WireError; RuleError microBlockRefused, those of the transactions
 */
export function parseLegacyMicroBlock(
  input: Uint8Array,
  chainId: number,
  source: TransactionSource = ownRecords,
): MicroBlock {
  const version = signedByte(input[0] ?? 0);
  assertVersion(version, BlockVersion.Reward);
  const { transactions, ...parts } = readLegacy(input, version);
  return assertTransactions({
    ...parts,
    transactions: parseBlockTransactions(transactions, (one) => parseTransaction(one, chainId, source)),
    stateHash: undefined,
    finalizationVoting: undefined,
    totalBlockId: parts.totalBlockSignature as Uint8Array as BlockId,
  });
}

/**
 * Parses a micro-block in protobuf, the payload of message 30: of any version up to 5, possibly without transactions.
 * Does not check the total block id against that of the accumulated block: see `extendLiquidBlock`.
 * @throws WireError; RuleError microBlockRefused, those of the transactions
 */
export function parseMicroBlock(
  input: Uint8Array,
  chainId: number,
  source: TransactionSource = ownRecords,
): MicroBlock {
  const signed = decodeMessage(signedMicroBlockMessageType, input);
  const microBlock = present("microBlock", signed.microBlock);
  const version = signedByte(microBlock.version);
  assertVersion(version, BlockVersion.Protobuf);
  const { totalBlockSignature, stateHash, finalizationVoting } = microBlock;
  const transactions = parseBlockTransactions(microBlock.transactions, (one) =>
    parseSignedTransaction(one, chainId, source),
  );
  if (version < BlockVersion.Protobuf && transactions.some(({ type }) => type === TransactionType.Ethereum))
    throw new RuleError({ code: "microBlockRefused", reason: `version ${version} holds no Ethereum transaction` });
  return {
    version,
    reference: blockIdOf("microBlock.reference", microBlock.reference),
    totalBlockSignature: sizedBytes("microBlock.totalBlockSignature", totalBlockSignature, signatureSize),
    sender: sizedBytes<PublicKey>("microBlock.sender", microBlock.sender, publicKeySize),
    transactions,
    // Any size is accepted: one that is not a hash's is a wrong state hash, and challenged like any other.
    stateHash: stateHash.length === 0 ? undefined : (stateHash as Digest),
    finalizationVoting: finalizationVoting && votingOfMessage(finalizationVoting),
    signature: sizedBytes<Signature>("microBlock.signature", signed.signature, signatureSize),
    totalBlockId: blockIdOf("microBlock.totalBlockId", signed.totalBlockId),
  };
}

/**
 * Encodes the micro-block for a message: in the older form if that can represent it. The reference uses the older form
 * also for one of an older version on a block of version 5, and cannot parse the result.
 */
export function encodeMicroBlock(microBlock: MicroBlock): Uint8Array {
  const { version, reference, finalizationVoting, signature, totalBlockId } = microBlock;
  const isLegacy = version < BlockVersion.Protobuf && reference.length === signatureSize;
  if (isLegacy) return writeSigned(microBlock, signature);
  const absent = new Uint8Array(0);
  return encodeMessage(signedMicroBlockMessageType, {
    microBlock: {
      ...microBlock,
      transactions: microBlock.transactions.map(encodeProtobuf),
      stateHash: microBlock.stateHash ?? absent,
      finalizationVoting: finalizationVoting && messageOfVoting(finalizationVoting),
    },
    signature,
    totalBlockId,
  });
}

/** Whether `encodeMicroBlock` used the older form: it begins with the version, protobuf with the tag of a field. */
export function isLegacyMicroBlock([first = 0]: Uint8Array): boolean {
  return signedByte(first) < BlockVersion.Protobuf;
}

/**
 * Whether the payload of message 28 is a micro-block on a block of version 5. The reference relays one of an older
 * version this way, which no node can use; the sending peer is not at fault.
 */
export function isOnProtobufBlock(input: Uint8Array): boolean {
  const version = signedByte(input[0] ?? 0);
  if (version >= BlockVersion.Protobuf) return false;
  const layout = legacyLayoutOf(version, digestSize);
  // A state hash may follow.
  return [input, input.subarray(0, -digestSize)].some((form) => isReadBy(layout, form));
}

function isReadBy(layout: Codec<unknown>, input: Uint8Array): boolean {
  try {
    decode(layout, input);
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

/** Bytes that the generator of a micro-block signs. */
export function microBlockSignedBytes(microBlock: Omit<MicroBlock, "signature" | "totalBlockId">): Uint8Array {
  return writeSigned(microBlock, new Uint8Array(0));
}

/** Binary form; `signature` is empty for the bytes to sign. */
function writeSigned(microBlock: Omit<MicroBlock, "signature" | "totalBlockId">, signature: Uint8Array): Uint8Array {
  const { version, transactions, stateHash, finalizationVoting } = microBlock;
  const to = new ByteWriter(1024);
  to.u8(version & 0xff);
  to.bytes(microBlock.reference);
  to.bytes(microBlock.totalBlockSignature);
  transactionListOf(version).write(
    transactions.map((transaction) => encodeForBlock(transaction, version)),
    to,
  );
  to.bytes(microBlock.sender);
  to.bytes(signature);
  if (stateHash !== undefined) to.bytes(stateHash);
  if (finalizationVoting !== undefined) to.bytes(encodeVoting(finalizationVoting));
  return to.toBytes();
}

function readLegacy(input: Uint8Array, version: number) {
  try {
    return decode(legacyLayoutOf(version), input);
  } catch (error) {
    throw underField("microBlock", error);
  }
}

function signedByte(value: number): number {
  return (value << 24) >> 24;
}

/** @throws WireError */
function blockIdOf(field: string, id: Uint8Array): BlockId {
  return sizedBytes<BlockId>(field, id, id.length === signatureSize ? signatureSize : digestSize);
}

function assertVersion(version: number, highest: number): void {
  if (version <= highest) return;
  throw new RuleError({ code: "microBlockRefused", reason: `version ${version}; at most ${highest} expected` });
}

function assertTransactions(microBlock: MicroBlock): MicroBlock {
  if (microBlock.transactions.length > 0) return microBlock;
  throw new RuleError({ code: "microBlockRefused", reason: "it has no transactions" });
}
