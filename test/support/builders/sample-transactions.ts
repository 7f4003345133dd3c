/** Transactions with simple values for tests of rules: ids and bytes are arbitrary, and nothing is signed. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import type { BlockViolation } from "../../../src/protocol/blocks/block-violation.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { Order, OrderId } from "../../../src/protocol/transactions/order.ts";
import type {
  LeaseId,
  Recipient,
  TransactionId,
  TransactionOf,
} from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import type { TransactionViolation } from "../../../src/protocol/transactions/transaction-violation.ts";
import type { BlockContext } from "../../../src/rules/transactions/block-context.ts";
import { commitmentFields, testEndorser } from "./test-endorser.ts";

export const chainId = "R".charCodeAt(0);
export const now = 1_700_000_000_000n;

const filled = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
/** Keys of accounts without known private keys. */
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
  [TransactionType.Genesis]: {
    ...common,
    type: TransactionType.Genesis,
    version: 1,
    fee: 0n,
    recipient: addresses.alice,
    amount: 1n,
    signature: new Uint8Array(64),
  },
  [TransactionType.Payment]: {
    ...authorized,
    type: TransactionType.Payment,
    version: 1,
    recipient: addresses.bob,
    amount: 10n,
  },
  [TransactionType.Issue]: {
    ...authorized,
    type: TransactionType.Issue,
    version: 2,
    fee: 100_000_000n,
    name: new TextEncoder().encode("Token"),
    description: new TextEncoder().encode("A token"),
    quantity: 1000n,
    decimals: 2,
    reissuable: true,
    script: null,
  },
  [TransactionType.Transfer]: {
    ...authorized,
    type: TransactionType.Transfer,
    version: 2,
    recipient: to(addresses.bob),
    asset: null,
    amount: 10n,
    attachment: new Uint8Array(),
  },
  [TransactionType.Reissue]: {
    ...authorized,
    type: TransactionType.Reissue,
    version: 2,
    asset: assetId(1),
    quantity: 5n,
    reissuable: true,
  },
  [TransactionType.Burn]: { ...authorized, type: TransactionType.Burn, version: 2, asset: assetId(1), amount: 5n },
  [TransactionType.Exchange]: {
    ...authorized,
    type: TransactionType.Exchange,
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
  [TransactionType.Lease]: {
    ...authorized,
    type: TransactionType.Lease,
    version: 2,
    recipient: to(addresses.bob),
    amount: 10n,
  },
  [TransactionType.LeaseCancel]: { ...authorized, type: TransactionType.LeaseCancel, version: 2, leaseId: leaseId(7) },
  [TransactionType.CreateAlias]: {
    ...authorized,
    type: TransactionType.CreateAlias,
    version: 2,
    alias: { chainId, name: "alice" },
  },
  [TransactionType.MassTransfer]: {
    ...authorized,
    type: TransactionType.MassTransfer,
    version: 1,
    fee: 200_000n,
    asset: null,
    transfers: [
      { recipient: to(addresses.bob), amount: 10n },
      { recipient: to(addresses.carol), amount: 20n },
    ],
    attachment: new Uint8Array(),
  },
  [TransactionType.Data]: {
    ...authorized,
    type: TransactionType.Data,
    version: 1,
    data: [{ key: "k", value: { type: "integer", value: 1n } }],
  },
  [TransactionType.SetScript]: { ...authorized, type: TransactionType.SetScript, version: 1, script: null },
  [TransactionType.SponsorFee]: {
    ...authorized,
    type: TransactionType.SponsorFee,
    version: 1,
    asset: assetId(1),
    minSponsoredAssetFee: 7n,
  },
  [TransactionType.SetAssetScript]: {
    ...authorized,
    type: TransactionType.SetAssetScript,
    version: 1,
    fee: 100_000_000n,
    asset: assetId(1),
    script: null,
  },
  [TransactionType.InvokeScript]: {
    ...authorized,
    type: TransactionType.InvokeScript,
    version: 1,
    fee: 500_000n,
    dApp: to(addresses.bob),
    call: null,
    payments: [],
  },
  [TransactionType.UpdateAssetInfo]: {
    ...authorized,
    type: TransactionType.UpdateAssetInfo,
    version: 1,
    asset: assetId(1),
    name: "Renamed",
    description: "Again",
  },
  [TransactionType.Ethereum]: {
    ...common,
    type: TransactionType.Ethereum,
    version: 1,
    senderKey: new Uint8Array(64).fill(9),
    sender: addresses.alice,
    to: addresses.bob.subarray(2, 22),
    value: 50_000_000_000n,
    data: new Uint8Array(),
    ethereumBytes: new Uint8Array(100),
  },
  [TransactionType.CommitToGeneration]: {
    ...authorized,
    type: TransactionType.CommitToGeneration,
    version: 1,
    fee: 10_000_000n,
    ...commitmentFields(testEndorser(1), 1_001),
  },
};

/** Transaction of the type that a fitting state accepts, with the given fields replaced. */
export function sample<Type extends TransactionType>(
  type: Type,
  fields: Partial<Omit<TransactionOf<Type>, "type">> = {},
): TransactionOf<Type> {
  return { ...(samples[type] as TransactionOf<Type>), ...fields };
}

/** Current block, whose signatures were verified before. */
export const context: BlockContext = {
  previousBlockTimestamp: now - 60_000n,
  blockTimestamp: now,
  blockGenerator: addresses.carol,
  verifySignatures: false,
};

/** Violation that the action throws. */
export function violationOf(action: () => unknown): TransactionViolation | BlockViolation {
  try {
    action();
  } catch (error) {
    if (error instanceof RuleError) return error.violation;
    throw error;
  }
  throw new Error("no fault was found");
}
