/**
 * Exchanges of orders of all versions: price modes, matcher fees in other assets, partially filled orders, orders
 * signed by Ethereum wallets.
 * @source Waves: state/diffs/ExchangeTransactionDiff.scala
 */

import { sign } from "../../src/crypto/curve25519.ts";
import type { Address } from "../../src/crypto/identities.ts";
import { Feature } from "../../src/network/features.ts";
import type { Asset } from "../../src/protocol/transactions/asset.ts";
import { feeUnitWavelets } from "../../src/protocol/transactions/fee-units.ts";
import type { Order, OrderSide, PriceMode } from "../../src/protocol/transactions/order.ts";
import { buildOrder, type OrderFields } from "../../src/protocol/transactions/order-bytes.ts";
import type { Transaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { ChainWorld } from "./chain-world.ts";
import type { EthereumWallet } from "./ethereum-wallet.ts";
import type { GeneratedAccount } from "./generated-accounts.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

const matcherFee = 3n * feeUnitWavelets;
const priceScale = 100_000_000n;
const dayMs = 86_400_000n;
const wavesDecimals = 8;

type Trader = { readonly account: GeneratedAccount } | { readonly wallet: EthereumWallet };

/** Terms that both orders share. */
interface Terms {
  readonly exchangeVersion: number;
  readonly amountAsset: Asset;
  readonly priceAsset: Asset;
  readonly amountDecimals: number;
  readonly priceDecimals: number;
  /** Price of one whole amount asset in whole price assets, times 10^8. */
  readonly fixedPrice: bigint;
  readonly matcher: GeneratedAccount;
}

/** Partially filled order. */
interface OpenOrder {
  readonly terms: Terms;
  readonly buyer: Trader;
  readonly buy: Order;
  remaining: bigint;
}

export function exchangeGenerator(): TransactionGenerator {
  const openOrders: OpenOrder[] = [];
  return {
    weight: 12,
    make: (world) => {
      const open = world.random.boolean(0.3) ? openOrders.shift() : undefined;
      return open === undefined ? dealOfNewOrders(world, openOrders) : dealWithOpenOrder(world, open, openOrders);
    },
  };
}

function dealOfNewOrders(world: ChainWorld, openOrders: OpenOrder[]): Transaction | undefined {
  const terms = makeTerms(world);
  if (terms === undefined) return undefined;
  const buyer = trader(world, terms, terms.priceAsset);
  const seller = trader(world, terms, terms.amountAsset);
  const amount = dealAmount(world, terms, addressOf(buyer), addressOf(seller));
  if (amount === undefined) return undefined;
  const isPartial = world.random.boolean(0.4);
  const buy = makeOrder(world, terms, { trader: buyer, side: "buy", amount: isPartial ? amount * 3n : amount });
  const sell = makeOrder(world, terms, { trader: seller, side: "sell", amount });
  if (buy === undefined || sell === undefined) return undefined;
  if (isPartial) openOrders.push({ terms, buyer, buy, remaining: amount * 2n });
  return deal(world, terms, { buy, sell, amount });
}

function dealWithOpenOrder(world: ChainWorld, open: OpenOrder, openOrders: OpenOrder[]): Transaction | undefined {
  const { terms, buyer, buy } = open;
  if (world.nowMs > buy.expiration) return undefined;
  const seller = trader(world, terms, terms.amountAsset);
  const most = dealAmount(world, terms, addressOf(buyer), addressOf(seller));
  if (most === undefined) return undefined;
  const amount = most < open.remaining ? most : open.remaining;
  const sell = makeOrder(world, terms, { trader: seller, side: "sell", amount });
  if (sell === undefined) return undefined;
  open.remaining -= amount;
  if (open.remaining > 0n) openOrders.push(open);
  return deal(world, terms, { buy, sell, amount });
}

/** A pair of assets, and a price that every version of orders can express exactly. */
function makeTerms(world: ChainWorld): Terms | undefined {
  const { random, view } = world;
  const amountAsset = world.anyAsset();
  const priceAsset = amountAsset === null ? (world.findAsset() ?? null) : world.anyAsset();
  if (amountAsset === priceAsset) return undefined;
  const decimalsOf = (asset: Asset): number =>
    asset === null ? wavesDecimals : (view.findAsset(asset)?.decimals ?? wavesDecimals);
  const amountDecimals = decimalsOf(amountAsset);
  const priceDecimals = decimalsOf(priceAsset);
  const step = priceStep(amountDecimals, priceDecimals);
  return {
    exchangeVersion: exchangeVersion(world),
    amountAsset,
    priceAsset,
    amountDecimals,
    priceDecimals,
    fixedPrice: step * random.amount(1n, 1_000_000_000n),
    matcher: random.pick(world.accounts.users),
  };
}

function exchangeVersion(world: ChainWorld): number {
  const versions = [1];
  if (world.isActive(Feature.SmartAccountTrading)) versions.push(2);
  if (world.isActive(Feature.BlockV5)) versions.push(3, 3);
  return world.random.pick(versions);
}

/** An account that owns the asset it gives, if one is found. */
function trader(world: ChainWorld, { exchangeVersion }: Terms, gives: Asset): Trader {
  const { random, accounts } = world;
  if (exchangeVersion === 3 && world.isActive(Feature.RideV6) && random.boolean(0.3)) {
    const able = accounts.wallets.filter(({ address }) => world.spendable(address, gives) > 0n);
    if (able.length > 0) return { wallet: random.pick(able) };
  }
  return { account: world.findHolder(gives)?.holder ?? world.anybody() };
}

function addressOf(trader: Trader): Address {
  return "wallet" in trader ? trader.wallet.address : trader.account.address;
}

/** Amount that both can pay; undefined when it is zero, or the price is too low for it. */
function dealAmount(world: ChainWorld, terms: Terms, buyer: Address, seller: Address): bigint | undefined {
  const available = world.spendable(seller, terms.amountAsset) / 10n;
  const affordable = (world.spendable(buyer, terms.priceAsset) / 10n) * priceScale;
  const price = assetPrice(terms);
  const most = available < affordable / price ? available : affordable / price;
  if (most < 1n) return undefined;
  const amount = world.random.amount(1n, most);
  return amount * price < priceScale ? undefined : amount;
}

/** The price in the form of versions up to 3: units of the price asset for 10^8 units of the amount asset. */
function assetPrice({ amountDecimals, priceDecimals, ...terms }: Terms, fixedPrice = terms.fixedPrice): bigint {
  const shift = priceDecimals - amountDecimals;
  return shift >= 0 ? fixedPrice * 10n ** BigInt(shift) : fixedPrice / 10n ** BigInt(-shift);
}

/** Smallest change of a fixed price that keeps the other form exact. */
function priceStep(amountDecimals: number, priceDecimals: number): bigint {
  return 10n ** BigInt(Math.max(0, amountDecimals - priceDecimals));
}

function makeOrder(
  world: ChainWorld,
  terms: Terms,
  options: { readonly trader: Trader; readonly side: OrderSide; readonly amount: bigint },
): Order | undefined {
  const { random } = world;
  const isWallet = "wallet" in options.trader;
  const version = isWallet ? 4 : random.pick(orderVersions(world, terms));
  const priceMode = version === 4 ? random.pick(priceModes(world)) : null;
  // Either side may accept a worse price than it gets.
  const step = priceStep(terms.amountDecimals, terms.priceDecimals);
  const slack = random.boolean(0.5) ? 0n : (terms.fixedPrice / 10n / step) * step;
  const fixedPrice = terms.fixedPrice + (options.side === "buy" ? slack : -slack);
  const timestamp = world.nowMs - BigInt(random.below(60_000));
  const { asset: matcherFeeAsset, fee } =
    version >= 3 ? feeOf(world, addressOf(options.trader)) : { asset: null, fee: matcherFee };
  const hasAttachment = version === 4 && world.isActive(Feature.LightNode) && random.boolean(0.3);
  const content = {
    version,
    chainId: world.chainId,
    matcher: terms.matcher.publicKey,
    amountAsset: terms.amountAsset,
    priceAsset: terms.priceAsset,
    side: options.side,
    amount: options.amount,
    price: version === 4 && priceMode !== "assetDecimals" ? fixedPrice : assetPrice(terms, fixedPrice),
    timestamp,
    expiration: timestamp + BigInt(random.between(1, 29)) * dayMs,
    matcherFee: fee,
    matcherFeeAsset,
    priceMode,
    attachment: hasAttachment ? random.bytes(random.between(1, 60)) : null,
  };
  if (isWallet) {
    const { wallet } = options.trader as { wallet: EthereumWallet };
    const eip712Signature = wallet.signOrder(content);
    return buildOrder({ ...content, proofs: [], eip712Signature, sender: new Uint8Array(64) });
  }
  const { account } = options.trader as { account: GeneratedAccount };
  const fields: OrderFields = {
    ...content,
    sender: account.publicKey,
    proofs: [new Uint8Array(64)],
    eip712Signature: null,
  };
  const unsigned = buildOrder(fields);
  return buildOrder({ ...fields, proofs: [sign(account.privateKey, unsigned.bodyBytes, random.bytes(64))] });
}

function orderVersions(world: ChainWorld, { exchangeVersion }: Terms): readonly number[] {
  if (exchangeVersion === 1) return [1];
  const versions = world.isActive(Feature.OrderV3) ? [1, 2, 3] : [1, 2];
  return exchangeVersion === 3 ? [...versions, 4, 4] : versions;
}

function priceModes(world: ChainWorld): readonly (PriceMode | null)[] {
  return world.isActive(Feature.RideV6) ? [null, "fixedDecimals", "assetDecimals"] : [null];
}

/** A fee that the trader can pay, in WAVES or in an asset. */
function feeOf(world: ChainWorld, address: Address): { asset: Asset; fee: bigint } {
  const held = world.assets().filter((asset) => world.view.balance(address, asset) > 1_000n);
  if (held.length === 0 || world.random.boolean(0.6)) return { asset: null, fee: matcherFee };
  return { asset: world.random.pick(held), fee: world.random.amount(1n, 100n) };
}

function deal(
  world: ChainWorld,
  { exchangeVersion: version, ...terms }: Terms,
  { buy, sell, amount }: { buy: Order; sell: Order; amount: bigint },
): Transaction {
  const isSellFirst = version === 3 && world.random.boolean(0.5);
  return world.signed(terms.matcher, {
    type: TransactionType.Exchange,
    version,
    order1: isSellFirst ? sell : buy,
    order2: isSellFirst ? buy : sell,
    amount,
    price: version === 3 ? terms.fixedPrice : assetPrice({ exchangeVersion: version, ...terms }),
    buyMatcherFee: (buy.matcherFee * amount) / buy.amount,
    sellMatcherFee: (sell.matcherFee * amount) / sell.amount,
    fee: world.fee(matcherFee),
  });
}
