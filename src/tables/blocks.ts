/** The chain itself: blocks, the micro-blocks of the liquid block, transactions. */
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

/** What the read model has for bytes that it does not need. */
const noBytes = new Uint8Array(0);

export const blockTable = table({
  name: "block",
  comment: `Blocks. header: the block's bytes without its transactions. reward: before boost, NULL before feature 14. finalized_height: of
the last block that is final once the block has a successor.`,
  key: ["height"],
  columns: {
    height: int,
    id: bytes<BlockId>(),
    /** The block's bytes without its transactions. */
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
    /** All WAVES that there are after the block. */
    wavesAmount: i64,
    hitSource: unpublished(bytes(), noBytes),
    /** Cumulative. */
    score: unpublished(bigDecimal, 0n),
    /** Fees that pass to the next generator, wavelets. */
    carryFee: unpublished(i64, 0n),
    /** After the block's last transaction: computed for every height, in headers from feature 22 on. */
    stateHash: unpublished(bytes<Digest>(), noBytes as Uint8Array as Digest),
    /** Height of the last block that is final once the block has a successor; 1 where nothing was finalized by then. */
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
  comment: `Forms that the liquid block has had, with their total block ids: position 0 is the key block alone. used_…: what its
transactions have used of the block's limits by then.`,
  key: ["height", "position"],
  columns: {
    height: int,
    position: int,
    totalBlockId: bytes<BlockId>(),
    timestamp: unpublished(int, 0),
    usedSizeBytes: unpublished(addedLater(int, 0), 0),
    /** Of all scripts that ran: rows of transactions have only what clients see of it. */
    usedComplexity: unpublished(addedLater(i64, 0n), 0n),
  },
  published: true,
  inCheckpoint: "ofForkableBlocks",
  indexes: { micro_block_by_id: { on: "height, total_block_id, position" } },
});

/**
 * Of a transaction, in the read model: its own JSON, as `transactionJson` has it, ready to be joined into answers.
 * Undefined where it would take too much of a row, and in rows of before there was the column: readers make it of the bytes.
 */
export const transactionJsonColumn = nullable(text);

const transactionStatuses = ["succeeded", "failed", "elided"] as const satisfies readonly TransactionStatus[];

export const transactionTable = table({
  name: "tx",
  comment: `Transactions. bytes: as in the block (legacy binary below version 5, else protobuf). snapshot: its change set as
protobuf TransactionStateSnapshot, NULL where the node does not keep it. call_record, of calls of dApps: what they did, as
protobuf InvokeScriptResult with what the call data of an Ethereum wallet meant; NULL where only the change set is known. An id may
come twice: of an alias while names could be taken over, and of a payment. json, in the read model: the transaction's own JSON,
NULL where it is made of the bytes when it is asked for.`,
  key: ["height", "position"],
  columns: {
    id: bytes<TransactionId>(),
    height: int,
    position: int,
    type: int,
    status: oneOf(transactionStatuses),
    spentComplexity: int,
    /** As in the block: legacy binary below version 5, else protobuf. */
    bytes: bytes(),
    /** Its change set in wire form, where the node keeps them. */
    snapshot: nullable(bytes()),
    /** Of calls: what they did, and what the call data of an Ethereum wallet meant. */
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
  comment: "Which accounts list the transaction.",
  key: ["address", "height", "position"],
  columns: { address: bytes<Address>(), height: int, position: int },
  published: true,
  inCheckpoint: "ofItsBlocks",
});
