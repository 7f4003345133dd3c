/** The chain itself: blocks, the micro-blocks of the liquid block, transactions. */
import { table } from "./schema/table.ts";

export type BlockRow = {
  height: number;
  id: Uint8Array;
  /** The block's bytes without its transactions. */
  header: Uint8Array;
  timestamp: bigint;
  generator: Uint8Array;
  sizeBytes: number;
  transactionCount: number;
  totalFee: bigint;
  /** Before boost; undefined before feature 14. */
  reward: bigint | undefined;
  rewardVote: bigint;
  /** (address, amount as 8 bytes) repeated, boost included. */
  rewardShares: Uint8Array;
  vrf: Uint8Array | undefined;
  wavesAmount: bigint;
  hitSource: Uint8Array;
  /** Cumulative score, decimal text: it passes 64 bits. */
  score: string;
  /** Fees that pass to the next generator, wavelets. */
  carryFee: bigint;
  /** After the block's last transaction: computed for every height, in headers from feature 22 on. */
  stateHash: Uint8Array;
};
export const blockTable = table<BlockRow>({
  name: "block",
  key: ["height"],
  columns: {
    height: "int",
    id: "blob",
    header: "blob",
    timestamp: "i64",
    generator: "blob",
    sizeBytes: "int",
    transactionCount: "int",
    totalFee: "i64",
    reward: { kind: "i64", nullable: true },
    rewardVote: "i64",
    rewardShares: "blob",
    vrf: { kind: "blob", nullable: true },
    wavesAmount: "i64",
    hitSource: { kind: "blob", unpublished: true },
    score: { kind: "text", unpublished: true },
    carryFee: { kind: "i64", unpublished: true },
    stateHash: { kind: "blob", unpublished: true },
  },
  published: true,
  indexes: { block_by_id: "unique id" },
});

/** Total block ids that the liquid block has had: 0 is the key block alone. */
export type MicroBlockRow = { height: number; position: number; totalBlockId: Uint8Array; timestamp: number };
export const microBlockTable = table<MicroBlockRow>({
  name: "micro_block",
  key: ["height", "position"],
  columns: { height: "int", position: "int", totalBlockId: "blob", timestamp: "int" },
  published: false,
});

export type TransactionRow = {
  id: Uint8Array;
  height: number;
  position: number;
  type: number;
  /** 0 succeeded, 1 failed, 2 elided. */
  status: number;
  spentComplexity: number;
  /** As in the block: legacy binary below version 5, else protobuf. */
  bytes: Uint8Array;
  /** Its change set in wire form, where the node keeps them. */
  snapshot: Uint8Array | undefined;
  /** Of calls: what they did, and what the call data of an Ethereum wallet meant. */
  callRecord: Uint8Array | undefined;
};
export const transactionTable = table<TransactionRow>({
  name: "tx",
  key: ["id"],
  columns: {
    id: "blob",
    height: "int",
    position: "int",
    type: "int",
    status: "int",
    spentComplexity: "int",
    bytes: "blob",
    snapshot: { kind: "blob", nullable: true },
    callRecord: { kind: "blob", nullable: true },
  },
  published: true,
  isAppended: true,
  indexes: { tx_by_place: "unique height, position" },
});

/** Which accounts list the transaction. */
export type TransactionAddressRow = { address: Uint8Array; height: number; position: number };
export const transactionAddressTable = table<TransactionAddressRow>({
  name: "tx_address",
  key: ["address", "height", "position"],
  columns: { address: "blob", height: "int", position: "int" },
  published: true,
});
