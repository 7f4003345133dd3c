/**
 * All peer messages: code, maximum size, parser and encoder. Blocks, micro-blocks and transactions have two forms, by
 * their version; a peer of any release may send either.
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

/** Input of parsers in addition to the bytes. */
export interface MessageContext {
  readonly chainId: number;
  /** Origin of the transactions. */
  readonly source: TransactionSource;
}

interface MessageDefinition<Value> {
  readonly code: number;
  /** Maximum size of the payload. */
  readonly maxBytes: number;
  /** @throws WireError; RuleError, FormatError those of blocks and transactions */
  readonly parse: (payload: Uint8Array, context: MessageContext) => Value;
  readonly encode: (value: Value, context: MessageContext) => Uint8Array;
}

/** Size of the largest data transaction, plus a fifth. */
const MAX_TRANSACTION_BYTES = 184_320;
/** Head, signature, a megabyte of transactions, the overhead of protobuf, and a reserve. */
const MAX_BLOCK_BYTES = 461 + 64 + 1_048_576 + 37_117 + 100;
const LEGACY_HEAD_BYTES = 271;
const DIGEST_BYTES = 32;
/**
 * Maximum size of older micro-blocks and of snapshots. The reference accepts 92 MB and 100 MB, which no honest peer
 * sends and no isolate can hold. A block has a megabyte of transactions; their state snapshots have several.
 */
const MAX_ISOLATE_BYTES = 32 * 1024 * 1024;
const ENDORSEMENT_BYTES = 1_024;

function definition<Value>(code: number, maxBytes: number, codec: Codec<Value>): MessageDefinition<Value> {
  return { code, maxBytes, parse: (payload) => decode(codec, payload), encode: (value) => encode(codec, value) };
}

const blockDefinition = {
  maxBytes: MAX_BLOCK_BYTES,
  encode: (block: Block, { chainId }: MessageContext) => encodeBlock(block, chainId),
};

export const messageTable = {
  getPeers: definition(1, 0, literal()),
  peers: definition(2, 4 + MAX_PEER_ADDRESSES * 8, peerAddresses),
  getSignatures: definition(20, maxBytesOfIds.signatures, blockSignatures),
  signatures: definition(21, maxBytesOfIds.signatures, blockSignatures),
  getBlock: definition(22, maxBytesOfIds.one, blockId),
  legacyBlock: {
    ...blockDefinition,
    code: 23,
    maxBytes: LEGACY_HEAD_BYTES + 100 * MAX_TRANSACTION_BYTES,
    parse: (payload, { chainId, source }) => parseSplitBlock(splitLegacyBlock(payload), chainId, source),
  } satisfies MessageDefinition<Block>,
  score: definition(24, MAX_SCORE_BYTES, score),
  legacyTransaction: {
    code: 25,
    maxBytes: MAX_TRANSACTION_BYTES,
    parse: (payload, { chainId, source }) => parseTransaction(payload, chainId, source),
    encode: (transaction) => encodeForBlock(transaction, BlockVersion.Reward),
  } satisfies MessageDefinition<Transaction>,
  microBlockInv: { code: 26, maxBytes: 300, parse: parseMicroBlockInv, encode: encodeMicroBlockInv },
  getMicroBlock: definition(27, maxBytesOfIds.one, blockId),
  legacyMicroBlock: {
    code: 28,
    maxBytes: MAX_ISOLATE_BYTES,
    parse: (payload, { chainId, source }) => parseLegacyMicroBlock(payload, chainId, source),
    encode: encodeMicroBlock,
  } satisfies MessageDefinition<MicroBlock>,
  block: {
    ...blockDefinition,
    code: 29,
    parse: (payload, { chainId, source }) => parseSplitBlock(splitProtobufBlock(payload, chainId), chainId, source),
  } satisfies MessageDefinition<Block>,
  microBlock: {
    code: 30,
    maxBytes: MAX_BLOCK_BYTES + DIGEST_BYTES,
    parse: (payload, { chainId, source }) => parseMicroBlock(payload, chainId, source),
    encode: encodeMicroBlock,
  } satisfies MessageDefinition<MicroBlock>,
  transaction: {
    code: 31,
    maxBytes: MAX_TRANSACTION_BYTES,
    parse: (payload, { chainId, source }) => parseSignedTransaction(payload, chainId, source),
    encode: encodeProtobuf,
  } satisfies MessageDefinition<Transaction>,
  getBlockIds: definition(32, maxBytesOfIds.many, blockIds),
  blockIds: definition(33, maxBytesOfIds.many, blockIds),
  getBlockSnapshot: definition(34, maxBytesOfIds.one, blockId),
  getMicroBlockSnapshot: definition(35, maxBytesOfIds.one, blockId),
  blockSnapshot: { code: 36, maxBytes: MAX_ISOLATE_BYTES, parse: parseBlockSnapshot, encode: encodeBlockSnapshot },
  microBlockSnapshot: { code: 37, maxBytes: MAX_ISOLATE_BYTES, parse: parseBlockSnapshot, encode: encodeBlockSnapshot },
  endorsement: { code: 38, maxBytes: ENDORSEMENT_BYTES, parse: parseEndorsement, encode: encodeEndorsement },
} as const;

type MessageTable = typeof messageTable;
export type MessageKind = keyof MessageTable;

/** Message of one kind, with its value. */
export type PeerMessage = {
  readonly [Kind in MessageKind]: {
    readonly kind: Kind;
    readonly value: ReturnType<MessageTable[Kind]["parse"]>;
  };
}[MessageKind];

const kindsByCode: ReadonlyMap<number, MessageKind> = new Map(
  (Object.keys(messageTable) as MessageKind[]).map((kind) => [messageTable[kind].code, kind]),
);

/** Kind of a message code; undefined for unknown codes. */
export function findKind(code: number): MessageKind | undefined {
  return kindsByCode.get(code);
}

/** Maximum size of a message's payload; undefined for unknown codes. */
export function maxPayloadBytes(code: number): number | undefined {
  const kind = findKind(code);
  return kind && messageTable[kind].maxBytes;
}

/** @throws WireError; RuleError, FormatError for a block or a transaction that is invalid in every state */
export function parseMessage({ code, payload }: Frame, context: MessageContext): PeerMessage {
  const kind = findKind(code);
  if (kind === undefined) throw new RangeError(`there is no message ${code}: the reader of frames has let it pass`);
  // The table pairs each kind with its value; the compiler does not follow that through the lookup.
  return { kind, value: messageTable[kind].parse(payload, context) } as PeerMessage;
}

export function frameOf({ kind, value }: PeerMessage, context: MessageContext): Frame {
  const { code, encode: write } = messageTable[kind] as MessageDefinition<unknown>;
  return { code, payload: write(value, context) };
}
