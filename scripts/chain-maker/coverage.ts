/** What a made chain holds: how often each version of each type, and the special cases. */
import { bytesKey } from "../../src/crypto/bytes.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { ethereumPayload } from "../../src/protocol/transactions/ethereum.ts";
import type { Order } from "../../src/protocol/transactions/order.ts";
import { formatOf } from "../../src/protocol/transactions/table.ts";
import type { Recipient, Transaction } from "../../src/protocol/transactions/transaction.ts";
import type { ChainVariant } from "./made-network.ts";

/** Counts by name of the case. */
export type Coverage = Readonly<Record<string, number>>;

const massTransferItems = 100;
const bigDataBytes = 100_000;

const everywhere = [
  ...versions(3, 3),
  ...versions(4, 3),
  ...versions(5, 3),
  ...versions(6, 3),
  ...versions(7, 3),
  ...versions(8, 3),
  ...versions(9, 3),
  ...versions(10, 3),
  ...versions(11, 2),
  ...versions(12, 2),
  ...versions(13, 2),
  ...versions(14, 2),
  ...versions(17, 1),
  ...versions(18, 1),
  "order v1",
  "order v2",
  "order v3",
  "order v4",
  "order of an Ethereum wallet",
  "order with price mode fixedDecimals",
  "order with price mode assetDecimals",
  "order with attachment",
  "order with a fee in an asset",
  "order filled in steps",
  "fee in an asset",
  "non-fungible asset",
  "recipient by alias",
  "mass transfer to 100",
  "data entry deleted",
  "data of 100 kB",
  "sponsorship ended",
  "Ethereum transfer of WAVES",
  "Ethereum transfer of an asset",
] as const;

/** What a chain of the variant has to hold. */
export const expectedCases: Readonly<Record<ChainVariant, readonly string[]>> = {
  active: everywhere,
  staged: [...everywhere, ...versions(2, 1)],
  halfway: [...versions(2, 1), ...versions(4, 1)],
};

/** What no made chain holds yet, and why. */
export const casesLeftOut: readonly string[] = [
  "issue with a script, set script, set asset script, invoke script, Ethereum calls: scripts do not run yet",
  "commit to generation: the feature is not in release 1.5 of the reference",
];

function versions(type: Transaction["type"], last: number): string[] {
  return Array.from({ length: last }, (_, index) => nameOf(type, index + 1));
}

function nameOf(type: Transaction["type"], version: number): string {
  return `${formatOf(type).name} v${version}`;
}

export function coverageOf(blocks: Iterable<Block>): Coverage {
  const counts: Record<string, number> = {};
  const orders = new Set<string>();
  for (const { transactions } of blocks)
    for (const transaction of transactions)
      for (const name of casesOf(transaction, orders)) counts[name] = (counts[name] ?? 0) + 1;
  return Object.fromEntries(
    Object.entries(counts).sort(([left], [right]) => left.localeCompare(right, "en", { numeric: true })),
  );
}

function* casesOf(transaction: Transaction, orders: Set<string>): Iterable<string> {
  yield nameOf(transaction.type, transaction.version);
  if (transaction.feeAsset !== null) yield "fee in an asset";
  switch (transaction.type) {
    case 3:
      if (transaction.quantity === 1n && transaction.decimals === 0 && !transaction.reissuable)
        yield "non-fungible asset";
      break;
    case 4:
    case 8:
      if (isAlias(transaction.recipient)) yield "recipient by alias";
      break;
    case 7:
      for (const order of [transaction.order1, transaction.order2]) yield* casesOfOrder(order, orders);
      break;
    case 11:
      if (transaction.transfers.some(({ recipient }) => isAlias(recipient))) yield "recipient by alias";
      if (transaction.transfers.length === massTransferItems) yield "mass transfer to 100";
      break;
    case 12:
      if (transaction.data.some(({ value }) => value === null)) yield "data entry deleted";
      if (transaction.bytes.length > bigDataBytes) yield "data of 100 kB";
      break;
    case 14:
      if (transaction.minSponsoredAssetFee === null) yield "sponsorship ended";
      break;
    case 18: {
      const payload = ethereumPayload(transaction);
      if (payload.kind === "transfer") yield `Ethereum transfer of ${payload.token === null ? "WAVES" : "an asset"}`;
      break;
    }
    default:
  }
}

function* casesOfOrder(order: Order, orders: Set<string>): Iterable<string> {
  yield `order v${order.version}`;
  if (order.eip712Signature !== null) yield "order of an Ethereum wallet";
  if (order.priceMode !== null) yield `order with price mode ${order.priceMode}`;
  if (order.attachment !== null) yield "order with attachment";
  if (order.matcherFeeAsset !== null) yield "order with a fee in an asset";
  const key = bytesKey(order.id);
  if (orders.has(key)) yield "order filled in steps";
  orders.add(key);
}

function isAlias(recipient: Recipient): boolean {
  return recipient.kind === "alias";
}
