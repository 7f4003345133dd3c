/** Scripts of accounts and assets: verifiers, dApps, asset scripts; and issues of scripted assets. */

import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { bytesKey } from "../../src/crypto/bytes.ts";
import { Feature } from "../../src/network/features.ts";
import { utf8Bytes } from "../../src/protocol/codec/utf8.ts";
import { baseFeeWavelets, feeUnitWavelets, scriptExtraFeeWavelets } from "../../src/protocol/transactions/fee-units.ts";
import { firstDAppVersion } from "../../src/protocol/transactions/library-versions.ts";
import type { Script } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { ChainWorld } from "./chain-world.ts";
import type { GeneratedAccount } from "./generated-accounts.ts";
import { assetScriptSource } from "./ride/asset-script-sources.ts";
import { compileRide } from "./ride/compile-ride.ts";
import { makeDApp } from "./ride/dapp-sources.ts";
import { acceptedVersions } from "./ride/library-versions.ts";
import { verifierSource } from "./ride/verifier-sources.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

const setScriptFee = baseFeeWavelets(TransactionType.SetScript);
const setAssetScriptFee = baseFeeWavelets(TransactionType.SetAssetScript) + scriptExtraFeeWavelets;
/** Limit of accounts with a verifier: it reduces the transactions that they can send. */
const mostVerifiers = 7;
/** dApps call each other from this version on. */
const callingVersion = 5;

const setVerifier: TransactionGenerator = {
  weight: 2.5,
  make: (world) => {
    const versions = acceptedVersions(world);
    if (versions.length === 0) return undefined;
    const { random, accounts } = world;
    const plain = accounts.users.filter((account) => !accounts.dApps.includes(account));
    const guarded = plain.filter(({ address }) => world.view.findAccountScript(address) !== undefined);
    // Only the last generator may have a script.
    const able = [...plain, ...accounts.generators.slice(-1)];
    const account = guarded.length >= mostVerifiers ? random.pick(guarded) : random.pick(able);
    return setScript(world, account, compileRide(verifierSource(random, random.pick(versions))));
  },
};

const setDApp: TransactionGenerator = {
  weight: 6,
  make: (world) => {
    const versions = acceptedVersions(world, firstDAppVersion);
    if (versions.length === 0) return undefined;
    const { random, accounts, known } = world;
    const empty = accounts.dApps.filter(({ address }) => world.findDApp(address) === undefined);
    if (empty.length === 0 && random.boolean(0.8)) return undefined;
    const account = random.pick(empty.length > 0 ? empty : random.boolean(0.5) ? oldest(world) : accounts.dApps);
    const calling = versions.filter((version) => version >= callingVersion);
    const dApp = makeDApp(random, random.pick(calling.length > 0 && random.boolean(0.5) ? calling : versions));
    known.dApps.set(bytesKey(dApp.script), dApp);
    return setScript(world, account, dApp.script);
  },
};

/** Removes a script; mostly from accounts that have none. */
const removeScript: TransactionGenerator = {
  weight: 1,
  make: (world) => {
    if (!world.isActive(Feature.SmartAccounts)) return undefined;
    return setScript(
      world,
      world.random.boolean(0.3) ? world.anybody() : world.random.pick(world.accounts.users),
      null,
    );
  },
};

const issueWithScript: TransactionGenerator = {
  weight: 3,
  make: (world) => {
    if (!world.isActive(Feature.SmartAssets)) return undefined;
    const versions = acceptedVersions(world);
    if (versions.length === 0) return undefined;
    const { random } = world;
    const issuer = random.boolean(0.3) ? random.pick(world.accounts.dApps) : world.anybody();
    return world.signed(issuer, {
      type: TransactionType.Issue,
      version: Math.max(2, world.version(TransactionType.Issue)),
      name: utf8Bytes(random.text(random.between(4, 16))),
      description: utf8Bytes("scripted by test"),
      quantity: 10n ** BigInt(random.between(6, 15)),
      decimals: random.below(9),
      reissuable: random.boolean(0.8),
      script: compileRide(assetScriptSource(random, random.pick(versions))),
      fee: world.fee(setAssetScriptFee),
    });
  },
};

const setAssetScript: TransactionGenerator = {
  weight: 2,
  make: (world) => {
    if (!world.isActive(Feature.SmartAssets)) return undefined;
    const scripted = world.assets().filter((asset) => world.view.findAsset(asset)?.script !== undefined);
    const versions = acceptedVersions(world);
    if (scripted.length === 0 || versions.length === 0) return undefined;
    const { random } = world;
    const asset = random.pick(scripted);
    const issuer = world.view.findAsset(asset)?.issuer;
    if (issuer === undefined) return undefined;
    return world.signed(world.accountOf(addressOfPublicKey(issuer, world.chainId)), {
      type: TransactionType.SetAssetScript,
      version: world.version(TransactionType.SetAssetScript),
      asset,
      script: compileRide(assetScriptSource(random, random.pick(versions))),
      fee: world.fee(setAssetScriptFee),
    });
  },
};

/** Gives scripted assets to dApps, so that they can send them. */
const supplyDApp: TransactionGenerator = {
  weight: 4,
  make: (world) => {
    if (!world.isActive(Feature.Ride4DApps)) return undefined;
    const asset = world.findAsset();
    const holding = asset && world.findHolder(asset);
    if (holding === undefined) return undefined;
    const { random } = world;
    return world.signed(holding.holder, {
      type: TransactionType.Transfer,
      version: world.version(TransactionType.Transfer),
      recipient: { kind: "address", address: random.pick(world.accounts.dApps).address },
      asset: holding.asset,
      amount: random.amount(1n, holding.balance / 4n + 1n),
      attachment: new Uint8Array(),
      fee: world.fee(feeUnitWavelets),
    });
  },
};

export const scriptGenerators: readonly TransactionGenerator[] = [
  setVerifier,
  setDApp,
  removeScript,
  issueWithScript,
  setAssetScript,
  supplyDApp,
];

/** Accounts whose dApps have the lowest version. */
function oldest(world: ChainWorld): readonly GeneratedAccount[] {
  const versionOf = ({ address }: GeneratedAccount): number => world.findDApp(address)?.version ?? 0;
  const lowest = Math.min(...world.accounts.dApps.map(versionOf));
  return world.accounts.dApps.filter((account) => versionOf(account) === lowest);
}

function setScript(world: ChainWorld, account: GeneratedAccount, script: Script | null) {
  const fee = world.fee(world.isActive(Feature.RideV6) ? feeUnitWavelets : setScriptFee);
  return world.signed(account, {
    type: TransactionType.SetScript,
    version: world.version(TransactionType.SetScript),
    script,
    fee,
  });
}
