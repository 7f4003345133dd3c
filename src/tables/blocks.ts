/** Tables of the chain itself: blocks, micro-blocks of the liquid block, and transactions. */
import type { Address, Digest } from "../crypto/identities.ts";
import type { BlockId } from "../protocol/blocks/block.ts";
import type { TransactionId, TransactionStatus } from "../protocol/transactions/transaction.ts";
import { rewardShares } from "./reward-shares.ts";
import {
  addedLater,
  bigDecimal,
  bytes,
  i64,
  int,
  longBytes,
  nullable,
  oneOf,
  text,
  unpublished,
} from "./schema/column.ts";
import { type RowOf, table } from "./schema/table.ts";

/** Value in the read model for bytes that it does not need. */
const noBytes = new Uint8Array(0);

export const blockTable = table({
  name: "block",
  comment: `Blocks. header: bytes of the block without its transactions. reward: before boost, NULL before feature 14. finalized_height: of
the last final block once this block has a successor.`,
  key: ["height"],
  columns: {
    height: int,
    id: bytes<BlockId>(),
    /** Bytes of the block without its transactions. */
    header: longBytes(),
    timestamp: i64,
    generator: bytes<Address>(),
    sizeBytes: int,
    transactionCount: int,
    totalFee: i64,
    /** Before boost; undefined before feature 14. */
    reward: nullable(i64),
    rewardVote: i64,
    rewardShares,
    vrf: nullable(bytes()),
    /** WAVES in existence after the block. */
    wavesAmount: i64,
    hitSource: unpublished(bytes(), noBytes),
    /** Cumulative. */
    score: unpublished(bigDecimal, 0n),
    /** Fees for the next generator, wavelets. */
    carryFee: unpublished(i64, 0n),
    /** State hash after the block's last transaction: computed for every height, in headers from feature 22 on. */
    stateHash: unpublished(bytes<Digest>(), noBytes as Uint8Array as Digest),
    /** Height of the last final block once this block has a successor; 1 if nothing was finalized by then. */
    finalizedHeight: addedLater(int, 1),
  },
  published: true,
  inCheckpoint: "ofItsBlocks",
  indexes: {
    block_by_id: { on: "id", isUnique: true },
    block_by_timestamp: { on: "timestamp", only: "readModel" },
    block_by_generator: { on: "generator, height", only: "readModel" },
  },
});
export type BlockRow = RowOf<typeof blockTable>;

export const microBlockTable = table({
  name: "micro_block",
  comment: `Stages of the liquid block with their total block ids: position 0 is the key block alone. used_…: share of the
block's limits that its transactions had used by then.`,
  key: ["height", "position"],
  columns: {
    height: int,
    position: int,
    totalBlockId: bytes<BlockId>(),
    timestamp: unpublished(int, 0),
    usedSizeBytes: unpublished(addedLater(int, 0), 0),
    /** Complexity of all scripts that ran: rows of transactions have only the part that clients see. */
    usedComplexity: unpublished(addedLater(i64, 0n), 0n),
  },
  published: true,
  inCheckpoint: "ofForkableBlocks",
  indexes: { micro_block_by_id: { on: "height, total_block_id, position" } },
});

/**
 * JSON of a transaction in the read model, as in `transactionJson`, ready to be joined into responses. Undefined if it
 * would take too much of a row, and in rows older than the column: readers then build it from the bytes.
 */
export const transactionJsonColumn = nullable(text);

const transactionStatuses = ["succeeded", "failed", "elided"] as const satisfies readonly TransactionStatus[];

export const transactionTable = table({
  name: "tx",
  comment: `Transactions. bytes: as in the block (legacy binary below version 5, else protobuf). snapshot: state snapshot as
protobuf TransactionStateSnapshot, NULL if the node does not store it. call_record: effects of a dApp call, as protobuf
InvokeScriptResult with the decoded call data of an Ethereum wallet; NULL if only the state snapshot is known. An id may
occur twice: that of an alias while names could be taken over, and that of a payment. json, in the read model: JSON of the
transaction, NULL if readers build it from the bytes.`,
  key: ["height", "position"],
  columns: {
    id: bytes<TransactionId>(),
    height: int,
    position: int,
    type: int,
    status: oneOf(transactionStatuses),
    spentComplexity: int,
    /** Bytes as in the block: legacy binary below version 5, else protobuf. */
    bytes: bytes(),
    /** State snapshot in wire form, if the node stores them. */
    snapshot: nullable(bytes()),
    /** For calls: their effects, and the decoded call data of an Ethereum wallet. */
    callRecord: nullable(bytes()),
  },
  published: true,
  inCheckpoint: "ofItsBlocks",
  readModelColumns: { json: transactionJsonColumn },
  isAppended: true,
  latestBy: "id",
  indexes: { tx_by_id: { on: "id, height, position" } },
});
export type TransactionRow = RowOf<typeof transactionTable>;

export const transactionAddressTable = table({
  name: "tx_address",
  comment: "Accounts that list a transaction.",
  key: ["address", "height", "position"],
  columns: { address: bytes<Address>(), height: int, position: int },
  published: true,
  inCheckpoint: "ofItsBlocks",
});
