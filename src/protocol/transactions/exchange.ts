/**
 * Type 7: executes two orders.
 * @source Waves: transaction/assets/exchange/ExchangeTransaction.scala, ExchangeTxSerializer.scala,
 *   ExchangeTxValidator.scala
 */

import { equalBytes } from "../../crypto/bytes.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import { type ByteReader, readField } from "../codec/byte-reader.ts";
import type { ByteWriter } from "../codec/byte-writer.ts";
import { type Codec, i32, i64, literal, struct } from "../codec/codec.ts";
import { type MessageOf, message, repeated, scalar } from "../codec/protobuf.ts";
import { checkFee } from "./checks.ts";
import { dataForm, type OwnFields, type TransactionFormat } from "./format.ts";
import { check, malformed } from "./format-error.ts";
import * as json from "./json-reader.ts";
import { amount } from "./legacy-fields.ts";
import { limits } from "./limits.ts";
import { refuseField } from "./message-fields.ts";
import type { Order } from "./order.ts";
import { messageOfOrder, orderMessage, orderOfMessage, readLegacyOrder, unknownChain } from "./order-bytes.ts";
import { checkOrder, checkOrderKey, equalAssets } from "./order-checks.ts";
import { orderJson, orderRequest } from "./order-json.ts";
import type { ExchangeTransaction } from "./transaction.ts";
import { TransactionType } from "./transaction-type.ts";

const publicKeyBytes = 32;
type Fields = Partial<OwnFields<ExchangeTransaction>>;
interface Orders {
  readonly order1: Order;
  readonly order2: Order;
}

const afterOrders = struct({
  price: amount,
  amount,
  buyMatcherFee: amount,
  sellMatcherFee: amount,
  fee: i64,
  timestamp: i64,
});

/** Reads orders of version 1: both lengths, then both orders. */
function readOrdersV1(from: ByteReader): Orders {
  const sizes = [i32.read(from), i32.read(from)] as const;
  return {
    order1: readField("order1", () => readOrder(1, sizes[0], from)),
    order2: readField("order2", () => readOrder(1, sizes[1], from)),
  };
}

function writeOrdersV1({ order1, order2 }: Orders, to: ByteWriter): void {
  i32.write(order1.bytes.length, to);
  i32.write(order2.bytes.length, to);
  to.bytes(order1.bytes);
  to.bytes(order2.bytes);
}

/** Reads each order after its length; a version 1 order has its version before it, which the length does not count. */
function readOrdersV2(from: ByteReader): Orders {
  return {
    order1: readField("order1", () => readVersionedOrder(from)),
    order2: readField("order2", () => readVersionedOrder(from)),
  };
}

function readVersionedOrder(from: ByteReader): Order {
  const sizeBytes = i32.read(from);
  const version = from.peek();
  if (version === 1) from.take(1);
  return readOrder(version, sizeBytes, from);
}

function writeOrdersV2({ order1, order2 }: Orders, to: ByteWriter): void {
  for (const order of [order1, order2]) {
    i32.write(order.bytes.length, to);
    if (order.version === 1) to.u8(1);
    to.bytes(order.bytes);
  }
}

function readOrder(version: number, sizeBytes: number, from: ByteReader): Order {
  if (sizeBytes < 0 || sizeBytes > from.remaining) from.fail(`an order of ${sizeBytes} bytes, ${from.remaining} left`);
  const outerEnd = from.end;
  from.end = from.offset + sizeBytes;
  const order = readLegacyOrder(version, from);
  from.end = outerEnd;
  return order;
}

function body(
  head: Codec<undefined>,
  readOrders: (from: ByteReader) => Orders,
  writeOrders: (orders: Orders, to: ByteWriter) => void,
): Codec<Fields> {
  return {
    read: (from) => {
      head.read(from);
      return { ...readOrders(from), ...afterOrders.read(from) };
    },
    write: (tx, to) => {
      head.write(undefined, to);
      // Written fields are complete: only the type of read fields is partial.
      writeOrders(tx as Orders, to);
      afterOrders.write(tx as ExchangeTransaction, to);
    },
  };
}

const exchangeData = message(
  "ExchangeTransactionData",
  {
    amount: scalar(1, "int64"),
    price: scalar(2, "int64"),
    buyMatcherFee: scalar(3, "int64"),
    sellMatcherFee: scalar(4, "int64"),
    orders: repeated(5, orderMessage, 2),
  },
  { unknown: "refuse" },
);

const request = json.object({
  order1: json.required(orderRequest),
  order2: json.required(orderRequest),
  amount: json.required(json.long),
  price: json.required(json.long),
  buyMatcherFee: json.required(json.long),
  sellMatcherFee: json.required(json.long),
});

export const exchange: TransactionFormat<ExchangeTransaction> = {
  type: TransactionType.Exchange,
  name: "ExchangeTransaction",
  signer: "account",
  senderFollows: true,
  hasVersions: true,
  maxVersion: 3,
  protobufSince: 3,
  feature: undefined,
  versionFeatures: { 2: Feature.SmartAccountTrading, 3: Feature.SmartAccountTrading },
  feeUnits: 3,
  checkedAssets: ({ order1 }) => [order1.priceAsset, order1.amountAsset],
  failsLate: true,
  legacy: {
    1: { prefix: [], order: "body, signature", body: body(literal(7), readOrdersV1, writeOrdersV1) },
    2: { prefix: [], order: "body, proofs", body: body(literal(0, 7, 2), readOrdersV2, writeOrdersV2) },
  },
  derived: (tx) => ({
    sender: matcherOf(tx),
    order1: onChain(tx.order1, tx.chainId),
    order2: onChain(tx.order2, tx.chainId),
  }),
  data: dataForm<ExchangeTransaction, MessageOf<typeof exchangeData>>({
    number: 107,
    message: exchangeData,
    fields: ({ orders, ...terms }, { networkChainId }) => {
      const [order1, order2] = orders;
      if (order1 === undefined || order2 === undefined) return refuseField("orders", "2 expected");
      return {
        ...terms,
        order1: orderOfMessage(order1, networkChainId),
        order2: orderOfMessage(order2, networkChainId),
      };
    },
    data: (tx) => ({
      amount: tx.amount,
      price: tx.price,
      buyMatcherFee: tx.buyMatcherFee,
      sellMatcherFee: tx.sellMatcherFee,
      orders: [messageOfOrder(tx.order1), messageOfOrder(tx.order2)],
    }),
  }),
  json: (tx) => ({
    order1: orderJson(tx.order1),
    order2: orderJson(tx.order2),
    amount: tx.amount,
    price: tx.price,
    buyMatcherFee: tx.buyMatcherFee,
    sellMatcherFee: tx.sellMatcherFee,
  }),
  request: {
    style: "lenient",
    defaultVersion: 1,
    feeOptional: true,
    own: json.refined(request, ({ order1, order2, ...terms }) => ({ chainId }) => ({
      ...terms,
      order1: order1(chainId),
      order2: order2(chainId),
    })),
  },
  check: (tx) => {
    checkFee(tx.fee);
    checkRange(tx.amount, "amount");
    checkRange(tx.price, "price");
    checkTerms(tx, (condition, message) => {
      if (!condition) throw malformed(message);
    });
  },
};

/** Checks the price or amount of the exchange. */
function checkRange(value: bigint, what: "amount" | "price"): void {
  const max = limits.exchangeAmount;
  check(value > 0n && value <= max, () => ({
    code: "malformed",
    message: `${what} should be in interval (0; ${max}]`,
  }));
}

function checkTerms(
  tx: Pick<ExchangeTransaction, "version" | "sellMatcherFee" | "buyMatcherFee" | "fee" | "timestamp"> & Orders,
  must: (condition: boolean, message: string) => void,
): void {
  const max = limits.exchangeAmount;
  must(tx.sellMatcherFee <= max, "sellMatcherFee too large");
  must(tx.buyMatcherFee <= max, "buyMatcherFee too large");
  must(tx.fee <= max, "fee too large");
  must(tx.version >= 3 || tx.order1.side === "buy", "order1 should have OrderType.BUY");
  const buy = tx.order1.side === "buy" ? tx.order1 : tx.order2;
  const sell = tx.order1.side === "buy" ? tx.order2 : tx.order1;
  must(buy.side === "buy", "buyOrder should has OrderType.BUY");
  must(sell.side === "sell", "sellOrder should has OrderType.SELL");
  must(equalBytes(buy.matcher, sell.matcher), "buyOrder.matcher should be the same as sellOrder.matcher");
  const samePair = equalAssets(buy.amountAsset, sell.amountAsset) && equalAssets(buy.priceAsset, sell.priceAsset);
  must(samePair, "Both orders should have same AssetPair");
  checkOrder(buy, tx.timestamp);
  checkOrder(sell, tx.timestamp);
  const newest = Math.max(buy.version, sell.version);
  must(tx.version > 1 || newest === 1, "can only contain orders of version 1");
  must(tx.version > 2 || newest < 4, "can only contain orders of version < 4");
  checkOrderKey(buy);
  checkOrderKey(sell);
  // The matcher signs the exchange, which an Ethereum wallet cannot.
  const keyBytes = buy.matcher.length;
  must(keyBytes === publicKeyBytes, `requirement failed: invalid public key length: ${keyBytes}`);
}

/** Sets the chain of a legacy order, which does not write it: that of the exchange. */
function onChain(order: Order, chainId: number): Order {
  return order.chainId !== unknownChain ? order : { ...order, chainId };
}

/** Key that signs an exchange: the matcher of its buy order. */
export function matcherOf({ order1, order2 }: Orders): PublicKey {
  return (order1.side === "buy" ? order1 : order2).matcher;
}
