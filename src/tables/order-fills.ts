/** What is left of orders that were exchanged in part. */
import type { OrderId } from "../protocol/transactions/order.ts";
import { bytes, i64 } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const orderFillTable = table({
  name: "order_fill",
  comment: "How much of an order is filled, and how much of its fee is paid.",
  key: ["id"],
  columns: { id: bytes<OrderId>(), volume: i64, fee: i64 },
  published: false,
  inCheckpoint: "all",
});
