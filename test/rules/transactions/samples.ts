/** Transactions with plain values, for tests of rules: ids and bytes are made up, and nothing is signed. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import type { BlockFault } from "../../../src/protocol/blocks/faults.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { TransactionFault } from "../../../src/protocol/transactions/faults.ts";
import type { Order, OrderId } from "../../../src/protocol/transactions/order.ts";
import type {
  LeaseId,
  Recipient,
  TransactionId,
  TransactionOf,
  TransactionType,
} from "../../../src/protocol/transactions/transaction.ts";
import type { BlockContext } from "../../../src/rules/transactions/block-context.ts";

export const chainId = "R".charCodeAt(0);
export const now = 1_700_000_000_000n;

const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
/** Keys of accounts; nobody knows their private keys. */
export const keys = {
  alice: filled(11) as PublicKey,
  bob: filled(12) as PublicKey,
  carol: filled(13) as PublicKey,
  matcher: filled(14) as PublicKey,
} as const;
export const addresses = Object.fromEntries(
  Object.entries(keys).map(([name, key]) => [name, addressOfPublicKey(key, chainId)]),
) as { readonly [Name in keyof typeof keys]: Address };

export const assetId = (byte: number): AssetId => filled(byte) as AssetId;
export const transactionId = (byte: number): TransactionId => filled(byte) as TransactionId;
export const leaseId = (byte: number): LeaseId => filled(byte) as LeaseId;
export const to = (address: Address): Recipient => ({ kind: "address", address });
export const toAlias = (name: string): Recipient => ({ kind: "alias", alias: { chainId, name } });

const common = {
  chainId,
  fee: 100_000n,
  feeAsset: null,
  timestamp: now,
  id: transactionId(200),
  bodyBytes: new Uint8Array(100),
  bytes: new Uint8Array(164),
};
const authorized = { ...common, sender: keys.alice, proofs: [new Uint8Array(64)] };

const buyOrder: Order = {
  version: 4,
  id: filled(31) as OrderId,
  bodyBytes: new Uint8Array(100),
  bytes: new Uint8Array(164),
  chainId,
  sender: keys.alice,
  matcher: keys.matcher,
  amountAsset: assetId(1),
  priceAsset: null,
  side: "buy",
  amount: 1000n,
  price: 50_000_000n,
  timestamp: now,
  expiration: now + 86_400_000n,
  matcherFee: 300_000n,
  matcherFeeAsset: null,
  proofs: [new Uint8Array(64)],
  eip712Signature: null,
  priceMode: null,
  attachment: null,
};
export function sampleOrder(fields: Partial<Order> = {}): Order {
  return { ...buyOrder, ...fields };
}
export function sampleSellOrder(fields: Partial<Order> = {}): Order {
  return sampleOrder({ id: filled(32) as OrderId, sender: keys.bob, side: "sell", ...fields });
}

const samples: { readonly [Type in TransactionType]: TransactionOf<Type> } = {
  1: { ...common, type: 1, version: 1, fee: 0n, recipient: addresses.alice, amount: 1n, signature: new Uint8Array(64) },
  2: { ...authorized, type: 2, version: 1, recipient: addresses.bob, amount: 10n },
  3: {
    ...authorized,
    type: 3,
    version: 2,
    fee: 100_000_000n,
    name: new TextEncoder().encode("Token"),
    description: new TextEncoder().encode("A token"),
    quantity: 1000n,
    decimals: 2,
    reissuable: true,
    script: null,
  },
  4: {
    ...authorized,
    type: 4,
    version: 2,
    recipient: to(addresses.bob),
    asset: null,
    amount: 10n,
    attachment: new Uint8Array(),
  },
  5: { ...authorized, type: 5, version: 2, asset: assetId(1), quantity: 5n, reissuable: true },
  6: { ...authorized, type: 6, version: 2, asset: assetId(1), amount: 5n },
  7: {
    ...authorized,
    type: 7,
    version: 3,
    sender: keys.matcher,
    fee: 300_000n,
    order1: buyOrder,
    order2: sampleSellOrder(),
    amount: 1000n,
    price: 50_000_000n,
    buyMatcherFee: 300_000n,
    sellMatcherFee: 300_000n,
  },
  8: { ...authorized, type: 8, version: 2, recipient: to(addresses.bob), amount: 10n },
  9: { ...authorized, type: 9, version: 2, leaseId: leaseId(7) },
  10: { ...authorized, type: 10, version: 2, alias: { chainId, name: "alice" } },
  11: {
    ...authorized,
    type: 11,
    version: 1,
    fee: 200_000n,
    asset: null,
    transfers: [
      { recipient: to(addresses.bob), amount: 10n },
      { recipient: to(addresses.carol), amount: 20n },
    ],
    attachment: new Uint8Array(),
  },
  12: { ...authorized, type: 12, version: 1, data: [{ key: "k", value: { type: "integer", value: 1n } }] },
  13: { ...authorized, type: 13, version: 1, script: null },
  14: { ...authorized, type: 14, version: 1, asset: assetId(1), minSponsoredAssetFee: 7n },
  15: { ...authorized, type: 15, version: 1, fee: 100_000_000n, asset: assetId(1), script: null },
  16: {
    ...authorized,
    type: 16,
    version: 1,
    fee: 500_000n,
    dApp: to(addresses.bob),
    call: null,
    payments: [],
  },
  17: { ...authorized, type: 17, version: 1, asset: assetId(1), name: "Renamed", description: "Again" },
  18: {
    ...common,
    type: 18,
    version: 1,
    senderKey: new Uint8Array(64).fill(9),
    sender: addresses.alice,
    to: addresses.bob.subarray(2, 22),
    value: 50_000_000_000n,
    data: new Uint8Array(),
    ethereumBytes: new Uint8Array(100),
  },
  19: {
    ...authorized,
    type: 19,
    version: 1,
    fee: 10_000_000n,
    generationPeriodStart: 101,
    endorserPublicKey: new Uint8Array(48),
    commitmentSignature: new Uint8Array(96),
  },
};

/** A transaction of the type that a fitting state accepts, with the given fields in place of its own. */
export function sample<Type extends TransactionType>(
  type: Type,
  fields: Partial<Omit<TransactionOf<Type>, "type">> = {},
): TransactionOf<Type> {
  return { ...(samples[type] as TransactionOf<Type>), ...fields };
}

/** A block of now, whose signatures were verified before. */
export const context: BlockContext = {
  previousBlockTimestamp: now - 60_000n,
  blockTimestamp: now,
  blockGenerator: addresses.carol,
  verifySignatures: false,
};

/** The fault that the action ends with. */
export function faultOf(action: () => unknown): TransactionFault | BlockFault {
  try {
    action();
  } catch (error) {
    if (error instanceof RuleError) return error.fault;
    throw error;
  }
  throw new Error("no fault was found");
}
