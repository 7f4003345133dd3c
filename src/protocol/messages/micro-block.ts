/**
 * Micro-blocks as bytes. Their signed bytes are the same binary form in all versions; peers exchange that form with
 * versions below 5, protobuf `waves.SignedMicroBlock` with version 5.
 * @source spec/consensus-and-finality.md 1.8; Waves: block/serialization/MicroBlockSerializer.scala,
 *   protobuf/block/PBMicroBlocks.scala
 */

import type { Digest, PublicKey, Signature } from "../../crypto/identities.ts";
import type { BlockId, MicroBlock } from "../blocks/block.ts";
import { parseBlockTransactions } from "../blocks/block-transactions.ts";
import { BlockVersion } from "../blocks/block-version.ts";
import { encodeVoting, messageOfVoting, votingMessageType, votingOfMessage } from "../blocks/finalization-voting.ts";
import { underField } from "../codec/byte-reader.ts";
import { ByteWriter } from "../codec/byte-writer.ts";
import { bytes, bytesWithLength, decode, i32, list, sized, struct, u8 } from "../codec/codec.ts";
import { decodeMessage, encodeMessage, message, optional, repeated, scalar } from "../codec/protobuf.ts";
import { RuleError } from "../faults.ts";
import { encodeForBlock } from "../transactions/encode-for-block.ts";
import { present, sizedBytes } from "../transactions/message-fields.ts";
import { parseSignedTransaction, parseTransaction } from "../transactions/parse-transaction.ts";
import { ownRecords, type TransactionSource } from "../transactions/transaction-source.ts";

const maxTransactions = 500;
const digestSize = 32;
const publicKeySize = 32;
const signatureSize = 64;

const microBlockMessageType = message("microBlock", {
  version: scalar(1, "int32"),
  reference: scalar(2, "bytes"),
  totalBlockSignature: scalar(3, "bytes"),
  sender: scalar(4, "bytes"),
  transactions: repeated(5, "bytes", maxTransactions),
  stateHash: scalar(6, "bytes"),
  finalizationVoting: optional(7, votingMessageType),
});
const signedMicroBlockMessageType = message("signedMicroBlock", {
  microBlock: optional(1, microBlockMessageType),
  signature: scalar(2, "bytes"),
  totalBlockId: scalar(3, "bytes"),
});

const transactionList = sized(i32, list(i32, bytesWithLength(i32), maxTransactions));
/** As blocks of these versions have them: the count is a signed byte. */
const shortTransactionList = sized(i32, list(u8, bytesWithLength(i32), 127));
const transactionListOf = (version: number) => (version < BlockVersion.Ng ? shortTransactionList : transactionList);
const legacyLayoutOf = (version: number) =>
  struct({
    version: u8,
    reference: bytes<BlockId>(signatureSize),
    totalBlockSignature: bytes<Signature>(signatureSize),
    transactions: transactionListOf(version),
    sender: bytes<PublicKey>(publicKeySize),
    signature: bytes<Signature>(signatureSize),
  });

/**
 * Reads a micro-block of version 1 to 4, the payload of message 28. A network may have NG while its blocks are those of before.
 * @throws WireError; RuleError microBlockRefused, those of the transactions
 */
export function parseLegacyMicroBlock(
  input: Uint8Array,
  chainId: number,
  source: TransactionSource = ownRecords,
): MicroBlock {
  expectVersion(input[0] ?? 0, BlockVersion.Genesis, BlockVersion.Reward);
  const { transactions, ...parts } = readLegacy(input);
  return expectTransactions({
    ...parts,
    transactions: parseBlockTransactions(transactions, (one) => parseTransaction(one, chainId, source)),
    stateHash: undefined,
    finalizationVoting: undefined,
    totalBlockId: parts.totalBlockSignature as Uint8Array as BlockId,
  });
}

/**
 * Reads a micro-block of version 5, the payload of message 30. That its total block id is the accumulated block's is not
 * checked here: see `extendLiquidBlock`.
 * @throws WireError; RuleError microBlockRefused, those of the transactions
 */
export function parseMicroBlock(
  input: Uint8Array,
  chainId: number,
  source: TransactionSource = ownRecords,
): MicroBlock {
  const signed = decodeMessage(signedMicroBlockMessageType, input);
  const microBlock = present("microBlock", signed.microBlock);
  const version = (microBlock.version << 24) >> 24;
  expectVersion(version, BlockVersion.Protobuf, BlockVersion.Protobuf);
  const { totalBlockSignature, stateHash, finalizationVoting } = microBlock;
  return expectTransactions({
    version,
    reference: sizedBytes<BlockId>("microBlock.reference", microBlock.reference, digestSize),
    totalBlockSignature: sizedBytes("microBlock.totalBlockSignature", totalBlockSignature, signatureSize),
    sender: sizedBytes<PublicKey>("microBlock.sender", microBlock.sender, publicKeySize),
    transactions: parseBlockTransactions(microBlock.transactions, (one) =>
      parseSignedTransaction(one, chainId, source),
    ),
    // Of whatever size: another than a hash's is a wrong one, which is challenged as any other.
    stateHash: stateHash.length === 0 ? undefined : (stateHash as Digest),
    finalizationVoting: finalizationVoting && votingOfMessage(finalizationVoting),
    signature: sizedBytes<Signature>("microBlock.signature", signed.signature, signatureSize),
    totalBlockId: sizedBytes<BlockId>("microBlock.totalBlockId", signed.totalBlockId, digestSize),
  });
}

/** The micro-block as its version's message carries it. */
export function encodeMicroBlock(microBlock: MicroBlock): Uint8Array {
  const { finalizationVoting, signature, totalBlockId } = microBlock;
  if (microBlock.version < BlockVersion.Protobuf) return writeSigned(microBlock, signature);
  const absent = new Uint8Array(0);
  return encodeMessage(signedMicroBlockMessageType, {
    microBlock: {
      ...microBlock,
      transactions: microBlock.transactions.map((transaction) => encodeForBlock(transaction, microBlock.version)),
      stateHash: microBlock.stateHash ?? absent,
      finalizationVoting: finalizationVoting && messageOfVoting(finalizationVoting),
    },
    signature,
    totalBlockId,
  });
}

/** What the generator signs of a micro-block. */
export function microBlockSignedBytes(microBlock: Omit<MicroBlock, "signature" | "totalBlockId">): Uint8Array {
  return writeSigned(microBlock, new Uint8Array(0));
}

/** The binary form; the signature is empty where it is what is to be signed. */
function writeSigned(microBlock: Omit<MicroBlock, "signature" | "totalBlockId">, signature: Uint8Array): Uint8Array {
  const { version, transactions, stateHash, finalizationVoting } = microBlock;
  const to = new ByteWriter(1024);
  to.u8(version);
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

function readLegacy(input: Uint8Array) {
  try {
    return decode(legacyLayoutOf(input[0] ?? 0), input);
  } catch (error) {
    throw underField("microBlock", error);
  }
}

function expectVersion(version: number, lowest: number, highest: number): void {
  if (version >= lowest && version <= highest) return;
  throw new RuleError({ code: "microBlockRefused", reason: `version ${version}; ${lowest} to ${highest} expected` });
}

function expectTransactions(microBlock: MicroBlock): MicroBlock {
  if (microBlock.transactions.length > 0) return microBlock;
  throw new RuleError({ code: "microBlockRefused", reason: "it has no transactions" });
}
