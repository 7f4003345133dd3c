/** Transactions that wait for a block. They are not part of the chain state. */
import type { TransactionId } from "../protocol/transactions/transaction.ts";
import { bytes, int, unique } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const poolTable = table({
  name: "pool",
  comment: "Transactions that wait for a block, in the order of their arrival; bytes: protobuf.",
  key: ["seq"],
  columns: { seq: int, id: unique(bytes<TransactionId>()), bytes: bytes() },
  published: false,
  inCheckpoint: "none",
  numbered: "again",
});
