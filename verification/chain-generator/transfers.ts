/** All kinds of transfers: payments, transfers, mass transfers, transfers by Ethereum wallets. */

import { Feature } from "../../src/network/features.ts";
import type { Asset } from "../../src/protocol/transactions/asset.ts";
import { baseFeeWavelets, feeUnitWavelets, scriptExtraFeeWavelets } from "../../src/protocol/transactions/fee-units.ts";
import { limits } from "../../src/protocol/transactions/limits.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { ChainWorld, Holding } from "./chain-world.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

const scriptedFee = baseFeeWavelets(TransactionType.Transfer) + scriptExtraFeeWavelets;

/** Valid only in the first blocks of a chain. */
const payment: TransactionGenerator = {
  weight: 15,
  make: (world) => {
    if (world.view.height >= world.view.settings.functionality.blockVersion3AfterHeight) return undefined;
    const holding = world.findHolder(null);
    return (
      holding &&
      world.signed(holding.holder, {
        type: TransactionType.Payment,
        version: 1,
        recipient: world.address(),
        amount: amountOf(world, holding),
        fee: world.fee(feeUnitWavelets),
      })
    );
  },
};

const transfer: TransactionGenerator = {
  weight: 24,
  make: (world) => {
    const holding = world.findHolder(world.anyAsset());
    if (holding === undefined) return undefined;
    return world.signed(holding.holder, {
      type: TransactionType.Transfer,
      version: world.version(TransactionType.Transfer),
      recipient: world.recipient(),
      asset: holding.asset,
      amount: amountOf(world, holding),
      attachment: attachment(world),
      ...paidBy(world, holding),
    });
  },
};

const massTransfer: TransactionGenerator = {
  weight: 5,
  make: (world) => {
    if (!world.isActive(Feature.MassTransfer)) return undefined;
    const holding = world.findHolder(world.anyAsset());
    if (holding === undefined) return undefined;
    const { random } = world;
    const count = random.boolean(0.1) ? limits.massTransferItems : random.below(12);
    const share = holding.balance / 50n / BigInt(count + 1);
    const transfers = Array.from({ length: count }, () => ({
      recipient: world.recipient(),
      amount: random.boolean(0.1) ? 0n : random.amount(0n, share),
    }));
    return world.signed(holding.holder, {
      type: TransactionType.MassTransfer,
      version: world.version(TransactionType.MassTransfer),
      asset: holding.asset,
      transfers,
      attachment: attachment(world),
      fee: world.fee(feeUnitWavelets * (1n + BigInt((count + 1) >> 1))),
    });
  },
};

export const ethereumTransfer: TransactionGenerator = {
  weight: 6,
  make: (world) => {
    if (!world.isActive(Feature.RideV6)) return undefined;
    const wallet = world.wallet();
    const held = [null, ...world.assets()].filter((asset) => world.spendable(wallet.address, asset) > 0n);
    if (held.length === 0) return undefined;
    const asset = world.random.pick(held);
    return wallet.transfer({
      recipient: world.address(),
      asset,
      amount: world.random.amount(1n, atLeastOne(world.spendable(wallet.address, asset) / 20n)),
      fee: world.fee(world.isScripted(asset) ? scriptedFee : feeUnitWavelets),
      timestamp: world.timestamp(),
    });
  },
};

export const transferGenerators: readonly TransactionGenerator[] = [payment, transfer, massTransfer, ethereumTransfer];

/** An amount: mostly a small part of the balance, sometimes all of an asset. */
function amountOf({ random }: ChainWorld, { asset, balance }: Holding): bigint {
  if (asset !== null && random.boolean(0.05)) return balance;
  return random.amount(1n, atLeastOne(balance / 20n));
}

function attachment({ random }: ChainWorld): Uint8Array {
  if (random.boolean(0.5)) return new Uint8Array();
  return random.bytes(random.boolean(0.1) ? limits.attachmentBytes : random.below(limits.attachmentBytes));
}

/** A fee in WAVES; otherwise in a sponsored asset or, before fee sponsorship, in any asset. */
function paidBy(world: ChainWorld, { holder }: Holding): { fee: bigint; feeAsset: Asset } {
  const { random, view } = world;
  const sponsored = random.boolean(0.35) ? world.sponsoredFee(holder.address) : undefined;
  if (sponsored !== undefined) return { ...sponsored, fee: world.fee(sponsored.fee) };
  if (!world.isActive(Feature.FeeSponsorship) && random.boolean(0.25)) {
    const feeAsset = world.findAsset() ?? null;
    if (feeAsset !== null && view.balance(holder.address, feeAsset) > 1_000n)
      return { fee: random.amount(1n, 500n), feeAsset };
  }
  return { fee: world.fee(feeUnitWavelets), feeAsset: null };
}

function atLeastOne(amount: bigint): bigint {
  return amount > 0n ? amount : 1n;
}
