/** State for tests: empty at first, changed by snapshots, at a height that the test sets. */

import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { functionalityDefaults, rewardsDefaults } from "../../../src/network/defaults.ts";
import type { BlockchainSettings, FunctionalitySettings } from "../../../src/network/settings.ts";
import type { Snapshot } from "../../../src/protocol/snapshots/snapshot.ts";
import type { Asset, AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { Script, TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { encodeScript } from "../../../src/ride/script/script-bytes.ts";
import { FirstVerdicts } from "../../../src/rules/state/foreign-addresses.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import type { AssetDescription, StateView } from "../../../src/rules/state/state-view.ts";

export interface StateOptions {
  /** Replaces settings made of defaults and the two options below. */
  readonly settings?: BlockchainSettings;
  readonly schemeCharacter?: string;
  /** Signature of the genesis block. */
  readonly signature?: BlockchainSettings["genesis"]["signature"];
  readonly functionality?: Partial<FunctionalitySettings>;
  readonly height?: number;
  /** Activation height by feature id. Default: all features from the start. */
  readonly features?: ReadonlyMap<number, number>;
  /** Lowest effective balance of every account at earlier heights. Default: 0. */
  readonly earlierBalance?: bigint;
}

export class InMemoryState extends OverlayView {
  readonly #position: { height: number };

  constructor(options: StateOptions = {}) {
    const position = { height: options.height ?? 100 };
    super(emptyView(settingsOf(options), options.features ?? everyFeature, position, options.earlierBalance), position);
    this.#position = position;
  }

  /** Moves the state to another height without any change. */
  moveTo(height: number): this {
    this.#position.height = height;
    return this;
  }

  /** Applies the snapshot; returns the state, for arrangement in one expression. */
  with(snapshot: Snapshot): this {
    this.apply(snapshot);
    return this;
  }

  withBalance(address: Address, balance: bigint, asset: Asset = null): this {
    return this.with({ balances: [{ address, asset, balance }] });
  }

  withLeaseBalance(address: Address, lease: { readonly in: bigint; readonly out: bigint }): this {
    return this.with({ leaseBalances: [{ address, ...lease }] });
  }

  /** Adds an asset that exists since height 1. */
  withAsset(assetId: AssetId, fields: Partial<AssetDescription> & { readonly issuer: PublicKey }): this {
    const { height } = this;
    const { issuer, decimals = 8, nft = false, reissuable = true, volume = 1000n, script } = fields;
    const originTransactionId = assetId as Uint8Array as TransactionId;
    this.moveTo(fields.textHeight ?? 1).apply({
      assetStatics: [{ assetId, issuer, decimals, nft, originTransactionId }],
      assetVolumes: [{ assetId, reissuable, volume }],
      assetTexts: [{ assetId, name: new Uint8Array(4).fill(97), description: new Uint8Array() }],
      ...(script && { assetScripts: [{ assetId, ...script }] }),
      sponsorships: [{ assetId, minSponsoredAssetFee: fields.minSponsoredAssetFee ?? 0n }],
    });
    return this.moveTo(height);
  }

  /** @param script by default one that allows everything */
  withAccountScript(publicKey: PublicKey, verifierComplexity: bigint, script: Script = willingScript): this {
    return this.with({ accountScripts: [{ publicKey, script, verifierComplexity }] });
  }

  addressOf(publicKey: PublicKey): Address {
    return addressOfPublicKey(publicKey, this.settings.chainId);
  }
}

const willingScript = encodeScript({
  content: "expression",
  libraryVersion: 6,
  expression: { kind: "constant", value: true },
}) as Script;

const everyFeature: ReadonlyMap<number, number> = new Map(
  // Feature 7 takes effect one voting period after its height.
  Array.from({ length: 25 }, (_, index) => [index + 1, index + 1 === 7 ? -100_000 : 0]),
);

function settingsOf({
  settings,
  schemeCharacter = "R",
  signature,
  functionality = {},
}: StateOptions): BlockchainSettings {
  if (settings !== undefined) return settings;
  return {
    schemeCharacter,
    chainId: schemeCharacter.charCodeAt(0),
    functionality: { ...functionalityDefaults, ...functionality },
    rewards: rewardsDefaults,
    genesis: {
      blockTimestampMs: 0n,
      timestampMs: 0n,
      initialBalance: 0n,
      initialBaseTarget: 1n,
      averageBlockDelayMs: 60_000,
      signature,
      transactions: [],
    },
  };
}

/** View without content, at the position's height. */
function emptyView(
  settings: BlockchainSettings,
  features: ReadonlyMap<number, number>,
  position: { readonly height: number },
  earlierBalance = 0n,
): StateView {
  return {
    settings,
    mayRefuseWork: false,
    foreignAddresses: new FirstVerdicts(),
    get height() {
      return position.height;
    },
    activationHeight: (feature) => features.get(feature),
    has: (feature) => (features.get(feature) ?? Number.POSITIVE_INFINITY) <= position.height,
    isActive: (feature, height) => (features.get(feature) ?? Number.POSITIVE_INFINITY) <= height,
    balance: () => 0n,
    leaseBalance: () => ({ in: 0n, out: 0n }),
    balanceHistory: () => [],
    minimumEffectiveBalance: () => earlierBalance,
    isChallenged: () => false,
    commitments: () => [],
    commitmentCount: () => 0,
    findCommitment: () => undefined,
    isEndorserKeyCommitted: () => false,
    conflicts: () => new Map(),
    storedFinalizedHeight: () => 1,
    findAsset: () => undefined,
    findAssetByErc20Address: () => undefined,
    assetsIssuedInBlock: () => 0,
    findAliasOwner: () => undefined,
    isAliasTakenOver: () => false,
    findLease: () => undefined,
    activeLeases: () => [],
    leaseBalances: () => [],
    orderFill: () => ({ volume: 0n, fee: 0n }),
    findAccountScript: () => undefined,
    findData: () => undefined,
    hasData: () => false,
    findStoredData: () => undefined,
    hasStoredData: () => false,
    rememberedData: () => ({ last: undefined, before: undefined }),
    isStored: (height) => height < position.height,
    findTransaction: () => undefined,
    findTransactionBody: () => undefined,
    findHeader: () => undefined,
    findHeightOf: () => undefined,
    findHitSource: () => undefined,
    blockReward: () => undefined,
    rewardVote: () => -1n,
    historyFrom: 1,
    findStateHash: () => undefined,
  };
}
