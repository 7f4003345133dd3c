/** Transactions of issuers about their assets. */

import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { Feature } from "../../src/network/features.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";
import type { Asset, AssetId } from "../../src/protocol/transactions/asset.ts";
import { baseFeeWavelets, feeUnitWavelets } from "../../src/protocol/transactions/fee-units.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { AssetDescription } from "../../src/rules/state/state-view.ts";
import type { ChainWorld } from "./chain-world.ts";
import type { GeneratedAccount } from "./generated-accounts.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

/** Fee of issuing an asset and, at first, of reissuing or sponsoring one. */
const issueFee = baseFeeWavelets(TransactionType.Issue);
const ascii = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJ0123456789";
/** Letters with a byte order mark, and a character beyond 16 bits. */
const letters = `${ascii}äßж漢\ufeff😀"\\/<`;

interface Issued extends AssetDescription {
  readonly owner: GeneratedAccount;
}

const issue: TransactionGenerator = {
  weight: 5,
  make: (world) => {
    const { random } = world;
    return world.signed(world.anybody(), {
      type: TransactionType.Issue,
      version: world.version(TransactionType.Issue),
      ...texts(world),
      quantity: random.boolean(0.1) ? 9_223_372_036_854_775_807n : 10n ** BigInt(random.between(3, 17)),
      decimals: random.below(9),
      reissuable: random.boolean(0.6),
      script: null,
      fee: world.fee(issueFee),
    });
  },
};

const issueNonFungible: TransactionGenerator = {
  weight: 2,
  make: (world) =>
    world.signed(world.anybody(), {
      type: TransactionType.Issue,
      version: world.version(TransactionType.Issue),
      ...texts(world),
      quantity: 1n,
      decimals: 0,
      reissuable: false,
      script: null,
      fee: world.fee(world.isActive(Feature.ReduceNftFee) ? feeUnitWavelets : issueFee),
    }),
};

const reissue: TransactionGenerator = {
  weight: 2,
  make: (world) => {
    const asset = findIssued(world, ({ reissuable }) => reissuable);
    return (
      asset &&
      world.signed(asset.owner, {
        type: TransactionType.Reissue,
        version: world.version(TransactionType.Reissue),
        asset: asset.assetId,
        quantity: world.random.amount(1n, 1_000_000_000n),
        reissuable: world.random.boolean(0.85),
        fee: world.fee(feeAfterBlockV5(world)),
      })
    );
  },
};

const burn: TransactionGenerator = {
  weight: 4,
  make: (world) => {
    const asset = world.findAsset();
    const holding = asset && world.findHolder(asset);
    if (asset === undefined || holding === undefined) return undefined;
    const all = world.random.boolean(0.1);
    return world.signed(holding.holder, {
      type: TransactionType.Burn,
      version: world.version(TransactionType.Burn),
      asset,
      amount: all ? holding.balance : world.random.amount(0n, holding.balance / 10n),
      fee: world.fee(feeUnitWavelets),
    });
  },
};

const sponsorFee: TransactionGenerator = {
  weight: 3,
  make: (world) => {
    if (!world.isActive(Feature.FeeSponsorship)) return undefined;
    const asset = findIssued(world, ({ nft }) => !nft);
    return (
      asset &&
      world.signed(asset.owner, {
        type: TransactionType.SponsorFee,
        version: world.version(TransactionType.SponsorFee),
        asset: asset.assetId,
        minSponsoredAssetFee: world.random.boolean(0.15) ? null : world.random.amount(1n, 1_000n),
        fee: world.fee(feeAfterBlockV5(world)),
      })
    );
  },
};

const updateAssetInfo: TransactionGenerator = {
  weight: 3,
  make: (world) => {
    if (!world.isActive(Feature.BlockV5)) return undefined;
    const { height, settings } = world.view;
    const { minAssetInfoUpdateInterval } = settings.functionality;
    const asset = findIssued(world, ({ textHeight }) => height - textHeight >= minAssetInfoUpdateInterval);
    const name = world.random.text(4, letters);
    const description = world.random.text(world.random.below(60), letters);
    return (
      asset &&
      world.signed(asset.owner, {
        type: TransactionType.UpdateAssetInfo,
        version: 1,
        asset: asset.assetId,
        name,
        description,
        ...paidBy(world, asset.owner),
      })
    );
  },
};

export const assetGenerators: readonly TransactionGenerator[] = [
  issue,
  issueNonFungible,
  reissue,
  burn,
  sponsorFee,
  updateAssetInfo,
];

/** Names of 4 to 16 bytes, with non-ASCII texts, and before feature 15 also bytes that are no text. */
function texts(world: ChainWorld): { name: Uint8Array; description: Uint8Array } {
  const { random } = world;
  if (!world.isActive(Feature.BlockV5) && random.boolean(0.1))
    return { name: random.bytes(random.between(4, 16)), description: random.bytes(random.below(40)) };
  return {
    name: utf8Bytes(random.boolean(0.7) ? random.text(random.between(4, 16), ascii) : random.text(4, letters)),
    description: utf8Bytes(random.text(random.boolean(0.05) ? 300 : random.below(60), letters)),
  };
}

function feeAfterBlockV5(world: ChainWorld): bigint {
  return world.isActive(Feature.BlockV5) ? feeUnitWavelets : issueFee;
}

function findIssued(world: ChainWorld, fits: (asset: AssetDescription) => boolean): Issued | undefined {
  const issued: AssetId[] = [...world.assets()];
  for (let attempt = 0; issued.length > 0 && attempt < 8; attempt++) {
    const asset = world.view.findAsset(world.random.pick(issued));
    if (asset === undefined || !fits(asset)) continue;
    return { ...asset, owner: world.accountOf(addressOfPublicKey(asset.issuer, world.chainId)) };
  }
  return undefined;
}

/** Fee, until feature 17 also in a sponsored asset. */
function paidBy(world: ChainWorld, owner: GeneratedAccount): { fee: bigint; feeAsset: Asset } {
  const isInWaves = world.isActive(Feature.RideV6) || world.random.boolean(0.5);
  const sponsored = isInWaves ? undefined : world.sponsoredFee(owner.address);
  return sponsored ?? { fee: world.fee(feeUnitWavelets), feeAsset: null };
}
