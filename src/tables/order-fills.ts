/** Filled amounts of orders. */
import type { OrderId } from "../protocol/transactions/order.ts";
import { bytes, i64 } from "./schema/column.ts";
import { table } from "./schema/table.ts";

export const orderFillTable = table({
  name: "order_fill",
  comment: "Filled amount of an order, and paid part of its fee.",
  key: ["id"],
  columns: { id: bytes<OrderId>(), volume: i64, fee: i64 },
  published: false,
  inCheckpoint: "all",
});
