/**
 * Every message of peers: its code, how large it may be, how it is read and written. Blocks, micro-blocks and transactions
 * have two forms, by their version; a peer of any release may send either.
 * @source docs/protocol/consensus-and-finality.md 1.10; Waves: network/BasicMessagesRepo.scala
 */
import type { Block, MicroBlock } from "../blocks/block.ts";
import { BlockVersion } from "../blocks/block-version.ts";
import { splitLegacyBlock } from "../blocks/legacy-block.ts";
import { encodeBlock, parseSplitBlock } from "../blocks/parse-block.ts";
import { splitProtobufBlock } from "../blocks/protobuf-block.ts";
import { type Codec, decode, encode, literal } from "../codec/codec.ts";
import { encodeForBlock, encodeProtobuf } from "../transactions/encode-for-block.ts";
import { parseSignedTransaction, parseTransaction } from "../transactions/parse-transaction.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { TransactionSource } from "../transactions/transaction-source.ts";
import { blockId, blockIds, blockSignatures, maxBytesOfIds } from "./block-ids.ts";
import { encodeBlockSnapshot, parseBlockSnapshot } from "./block-snapshot.ts";
import { encodeEndorsement, parseEndorsement } from "./endorsement.ts";
import type { Frame } from "./frame.ts";
import { encodeMicroBlock, parseLegacyMicroBlock, parseMicroBlock } from "./micro-block.ts";
import { encodeMicroBlockInv, parseMicroBlockInv } from "./micro-block-inv.ts";
import { MAX_PEER_ADDRESSES, peerAddresses } from "./peer-address.ts";
import { MAX_SCORE_BYTES, score } from "./score.ts";

/** What a reader must know besides the bytes. */
export interface MessageContext {
  readonly chainId: number;
  /** Of transactions that others have written. */
  readonly source: TransactionSource;
}

interface MessageRow<Value> {
  readonly code: number;
  /** Of the payload. */
  readonly maxBytes: number;
  /** @throws WireError; RuleError, FormatError those of blocks and transactions */
  readonly parse: (payload: Uint8Array, context: MessageContext) => Value;
  readonly encode: (value: Value, context: MessageContext) => Uint8Array;
}

/** A transaction of the most data, and a fifth more. */
const MAX_TRANSACTION_BYTES = 184_320;
/** Head, signature, a megabyte of transactions, what protobuf adds, and some room. */
const MAX_BLOCK_BYTES = 461 + 64 + 1_048_576 + 37_117 + 100;
const LEGACY_HEAD_BYTES = 271;
const DIGEST_BYTES = 32;
/**
 * The reference takes 92 MB for a micro-block of its older form, and 100 MB for snapshots, which no honest peer sends and no
 * isolate can hold. A block has a megabyte of transactions; a change set of as many has several.
 */
const MAX_ISOLATE_BYTES = 32 * 1024 * 1024;
const ENDORSEMENT_BYTES = 1_024;

function row<Value>(code: number, maxBytes: number, codec: Codec<Value>): MessageRow<Value> {
  return { code, maxBytes, parse: (payload) => decode(codec, payload), encode: (value) => encode(codec, value) };
}

const blockRow = {
  maxBytes: MAX_BLOCK_BYTES,
  encode: (block: Block, { chainId }: MessageContext) => encodeBlock(block, chainId),
};

export const messageTable = {
  getPeers: row(1, 0, literal()),
  peers: row(2, 4 + MAX_PEER_ADDRESSES * 8, peerAddresses),
  getSignatures: row(20, maxBytesOfIds.signatures, blockSignatures),
  signatures: row(21, maxBytesOfIds.signatures, blockSignatures),
  getBlock: row(22, maxBytesOfIds.one, blockId),
  legacyBlock: {
    ...blockRow,
    code: 23,
    maxBytes: LEGACY_HEAD_BYTES + 100 * MAX_TRANSACTION_BYTES,
    parse: (payload, { chainId, source }) => parseSplitBlock(splitLegacyBlock(payload), chainId, source),
  } satisfies MessageRow<Block>,
  score: row(24, MAX_SCORE_BYTES, score),
  legacyTransaction: {
    code: 25,
    maxBytes: MAX_TRANSACTION_BYTES,
    parse: (payload, { chainId, source }) => parseTransaction(payload, chainId, source),
    encode: (transaction) => encodeForBlock(transaction, BlockVersion.Reward),
  } satisfies MessageRow<Transaction>,
  microBlockInv: { code: 26, maxBytes: 300, parse: parseMicroBlockInv, encode: encodeMicroBlockInv },
  getMicroBlock: row(27, maxBytesOfIds.one, blockId),
  legacyMicroBlock: {
    code: 28,
    maxBytes: MAX_ISOLATE_BYTES,
    parse: (payload, { chainId, source }) => parseLegacyMicroBlock(payload, chainId, source),
    encode: encodeMicroBlock,
  } satisfies MessageRow<MicroBlock>,
  block: {
    ...blockRow,
    code: 29,
    parse: (payload, { chainId, source }) => parseSplitBlock(splitProtobufBlock(payload, chainId), chainId, source),
  } satisfies MessageRow<Block>,
  microBlock: {
    code: 30,
    maxBytes: MAX_BLOCK_BYTES + DIGEST_BYTES,
    parse: (payload, { chainId, source }) => parseMicroBlock(payload, chainId, source),
    encode: encodeMicroBlock,
  } satisfies MessageRow<MicroBlock>,
  transaction: {
    code: 31,
    maxBytes: MAX_TRANSACTION_BYTES,
    parse: (payload, { chainId, source }) => parseSignedTransaction(payload, chainId, source),
    encode: encodeProtobuf,
  } satisfies MessageRow<Transaction>,
  getBlockIds: row(32, maxBytesOfIds.many, blockIds),
  blockIds: row(33, maxBytesOfIds.many, blockIds),
  getBlockSnapshot: row(34, maxBytesOfIds.one, blockId),
  getMicroBlockSnapshot: row(35, maxBytesOfIds.one, blockId),
  blockSnapshot: { code: 36, maxBytes: MAX_ISOLATE_BYTES, parse: parseBlockSnapshot, encode: encodeBlockSnapshot },
  microBlockSnapshot: { code: 37, maxBytes: MAX_ISOLATE_BYTES, parse: parseBlockSnapshot, encode: encodeBlockSnapshot },
  endorsement: { code: 38, maxBytes: ENDORSEMENT_BYTES, parse: parseEndorsement, encode: encodeEndorsement },
} as const;

type MessageTable = typeof messageTable;
export type MessageKind = keyof MessageTable;

/** A message of one kind, with what it says. */
export type PeerMessage = {
  readonly [Kind in MessageKind]: {
    readonly kind: Kind;
    readonly value: ReturnType<MessageTable[Kind]["parse"]>;
  };
}[MessageKind];

const kindsByCode: ReadonlyMap<number, MessageKind> = new Map(
  (Object.keys(messageTable) as MessageKind[]).map((kind) => [messageTable[kind].code, kind]),
);

/** Undefined where there is no message with the code. */
export function findKind(code: number): MessageKind | undefined {
  return kindsByCode.get(code);
}

/** The largest payload of a message; undefined where there is no message with the code. */
export function maxPayloadBytes(code: number): number | undefined {
  const kind = findKind(code);
  return kind && messageTable[kind].maxBytes;
}

/** @throws WireError; RuleError, FormatError for a block or a transaction that can be valid in no state */
export function parseMessage({ code, payload }: Frame, context: MessageContext): PeerMessage {
  const kind = findKind(code);
  if (kind === undefined) throw new RangeError(`there is no message ${code}: the reader of frames has let it pass`);
  // Which kind has which value the table says, row by row.
  return { kind, value: messageTable[kind].parse(payload, context) } as PeerMessage;
}

export function frameOf({ kind, value }: PeerMessage, context: MessageContext): Frame {
  const { code, encode: write } = messageTable[kind] as MessageRow<unknown>;
  return { code, payload: write(value, context) };
}
