/** The `network.json` of a generated chain, in the reference's form. */
import { addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { maximumHeight } from "../../src/network/defaults.ts";
import { Feature } from "../../src/network/features.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { parseNetwork } from "../../src/network/parse-network.ts";
import type { NetworkSettings } from "../../src/network/settings.ts";
import { genesisBlock } from "../../src/protocol/blocks/genesis-block.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { type GeneratedAccounts, generatorCount } from "./generated-accounts.ts";
import { genesisGrants, supply } from "./genesis-grants.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Variants whose features release 1.5 of the reference has. */
export const referenceVariants = ["active", "staged", "halfway", "shuffled"] as const;

/**
 * Variants of generated chains. `active`: all features of release 1.5 of the reference from the start. `staged`: none
 * at first, then one after the other, the light node feature last and by votes. `halfway`: the same, but the chain ends
 * before all are active. `shuffled`: none at first, then all in an order that only a custom network can have.
 * `committed`: as `active`, with feature 25 and short generation periods.
 */
export const chainVariants = [...referenceVariants, "committed"] as const;
export type ChainVariant = (typeof chainVariants)[number];

export interface GeneratedNetwork {
  readonly variant: ChainVariant;
  readonly json: JsonObject;
  readonly settings: NetworkSettings;
  /** Height from which generators vote for the features that the settings do not activate. */
  readonly votingFrom: number;
}

/**
 * Features that the generators vote for at the height. Feature 22 waits for the others: the reference votes as soon as
 * it can, but before feature 15 no block has a field for the state hash that 22 requires.
 */
export function supportedAt({ settings, votingFrom }: GeneratedNetwork, height: number): readonly number[] {
  return height < votingFrom ? [] : settings.node.supportedFeatures;
}

/** Timestamp early enough that no block lies in the future. */
const firstGenesisMs = 1_700_000_000_000;
const genesisSpacingMs = 3_600_000;
const genesisCount = 10_000;
const votingPeriod = 5;
const averageDelayMs = 10_000;
/** The supply's hundredths that each generator gets; users and wallets share the rest. */
const generatorShares = [40n, 25n, 15n, 8n] as const;
/** Activation heights of commitments. */
const commitmentActivations = [0, 1, 4] as const;
const firstFeatures: readonly number[] = [Feature.SmallerMinimalGeneratingBalance, Feature.Ng];

/** @param blocks length of the chain */
export function makeNetwork(
  variant: ChainVariant,
  seed: number,
  { blocks, random, accounts }: { blocks: number; random: SeededRandom; accounts: GeneratedAccounts },
): GeneratedNetwork {
  const genesisMs = firstGenesisMs + (seed % genesisCount) * genesisSpacingMs;
  const staged = stagedActivations(variant === "halfway" ? blocks * random.between(2, 4) : blocks, random);
  const isStaged = variant === "staged" || variant === "halfway" || variant === "shuffled";
  const commitments = variant === "committed" ? commitmentSettings(random) : noCommitments;
  const shuffled = variant === "shuffled" ? shuffledActivations(blocks, random) : undefined;
  const activations = shuffled?.heights ?? staged.heights;
  const heights = { ...(isStaged ? activations : activeFromTheStart()), ...commitments.heights };
  const { periodLength } = commitments;
  const corrections =
    shuffled === undefined
      ? {}
      : { ...correctionsOfOld(blocks, genesisMs, random), ...oddPeriods(staged.votingFrom, random) };
  const supported = shuffled?.voted ?? Feature.LightNode;
  const json = networkJson({ isStaged, genesisMs, heights, periodLength, supported, corrections, random, accounts });
  const { signature } = genesisBlock(parseNetwork(json, variant).blockchain);
  json.waves.blockchain.custom.genesis.signature = encodeBase58(signature);
  return { variant, json, settings: parseNetwork(json, variant), votingFrom: staged.votingFrom };
}

interface CommitmentSettings {
  readonly heights: Readonly<Record<number, number>>;
  /** Blocks. */
  readonly periodLength: number | undefined;
}

const noCommitments: CommitmentSettings = { heights: {}, periodLength: undefined };

/** Feature 25 from the start, or soon after it, and short periods. */
function commitmentSettings(random: SeededRandom): CommitmentSettings {
  return {
    heights: { [Feature.DeterministicFinality]: random.pick(commitmentActivations) },
    periodLength: random.between(1, 5),
  };
}

function activeFromTheStart(): Record<number, number> {
  const { preActivatedFeatures } = privateNetwork.blockchain.functionality;
  // All features of release 1.5 of the reference, which validates these chains.
  const heights = [...preActivatedFeatures].filter(([feature]) => feature <= Feature.BoostBlockReward);
  return { ...Object.fromEntries(heights), [Feature.LightNode]: 0 };
}

/**
 * Activates all features within the blocks, in the order of their numbers, some at the same height. 22 is left to
 * votes, after the others are active.
 */
function stagedActivations(
  blocks: number,
  random: SeededRandom,
): { heights: Record<number, number>; votingFrom: number } {
  const heights: Record<number, number> = {};
  const last = Feature.BoostBlockReward;
  const votingFrom = Math.floor(blocks * 0.78);
  const meanGap = votingFrom / last;
  let height = 4;
  for (let feature = 1; feature <= last; feature++) {
    if (feature === Feature.LightNode) continue;
    heights[feature] = height;
    const isFollowedAtOnce = !firstFeatures.includes(feature) && random.boolean(0.2);
    if (!isFollowedAtOnce) height = Math.min(votingFrom, height + random.between(1, Math.round(2 * meanGap)));
  }
  return { heights, votingFrom };
}

/**
 * Activates all features in random order, by the last tenth of the blocks; the last one is left to votes. Feature 22
 * waits for 15: before it, no header has a field for the state hash.
 */
function shuffledActivations(blocks: number, random: SeededRandom): { heights: Record<number, number>; voted: number } {
  const features = Array.from({ length: Feature.BoostBlockReward }, (_, index) => index + 1);
  for (let last = features.length - 1; last > 0; last--) swap(features, last, random.below(last + 1));
  const [light, protobuf] = [features.indexOf(Feature.LightNode), features.indexOf(Feature.BlockV5)];
  if (light < protobuf) swap(features, light, protobuf);
  const lastHeight = Math.floor(blocks * 0.9);
  const heights = features.map(() => random.between(3, lastHeight)).sort((left, right) => left - right);
  const voted = features.pop() as number;
  return { heights: Object.fromEntries(features.map((feature, index) => [feature, heights[index] as number])), voted };
}

/**
 * Voting windows that double while votes are cast, at any height, and intervals at the end of the range, which let sums
 * of heights wrap around.
 */
function oddPeriods(votingFrom: number, random: SeededRandom): Record<string, number> {
  return {
    "double-features-periods-after-height": votingFrom + random.between(-3, 2 * votingPeriod),
    ...(random.boolean(0.25) && { "block-version-3-after-height": maximumHeight }),
    ...(random.boolean(0.25) && { "min-asset-info-update-interval": maximumHeight }),
  };
}

/** Random heights from which historical irregularities are no longer allowed. */
function correctionsOfOld(blocks: number, genesisMs: number, random: SeededRandom): Record<string, number> {
  const names = [
    "estimator-pre-check-height",
    "estimation-overflow-fix-height",
    "estimator-sum-overflow-fix-height",
    "enforce-transfer-validation-after",
    "eth-invoke-payments-check-height",
    "payments-check-height",
  ];
  return {
    "last-time-based-fork-parameter": genesisMs + random.below(blocks * averageDelayMs),
    ...Object.fromEntries(names.map((name) => [name, random.below(blocks)])),
  };
}

function swap(items: number[], left: number, right: number): void {
  [items[left], items[right]] = [items[right] as number, items[left] as number];
}

function networkJson(options: {
  isStaged: boolean;
  genesisMs: number;
  heights: Record<number, number>;
  periodLength: number | undefined;
  supported: number;
  corrections: Readonly<Record<string, number>>;
  random: SeededRandom;
  accounts: GeneratedAccounts;
}) {
  const { isStaged, genesisMs, heights, periodLength, supported, corrections, random, accounts } = options;
  const [daoAddress, xtnBuybackAddress] = beneficiaries(accounts, random);
  return {
    description: "A chain that a script made.",
    waves: {
      blockchain: {
        type: "CUSTOM",
        custom: {
          "address-scheme-character": privateNetwork.blockchain.schemeCharacter,
          functionality: {
            "feature-check-blocks-period": votingPeriod,
            "blocks-for-feature-activation": votingPeriod - 1,
            "generation-balance-depth-from-50-to-1000-after-height": isStaged ? random.between(55, 90) : 0,
            "block-version-3-after-height": isStaged ? 9 : 0,
            "pre-activated-features": heights,
            "double-features-periods-after-height": isStaged ? random.between(20, 400) : 1_000_000_000,
            "max-transaction-time-back-offset": "120m",
            "max-transaction-time-forward-offset": "90m",
            "min-asset-info-update-interval": random.between(1, 4),
            "min-block-time": "5s",
            "delay-delta": 8,
            "dao-address": daoAddress,
            "xtn-buyback-address": xtnBuybackAddress,
            "xtn-buyback-reward-period": random.between(5, 60),
            "light-node-block-fields-absence-interval": isStaged ? random.between(0, 5) : 0,
            "block-reward-boost-period": random.between(5, 40),
            // Release 1.5 of the reference lacks this setting.
            ...(periodLength !== undefined && { "generation-period-length": periodLength }),
            ...corrections,
          },
          rewards: {
            term: 6,
            "term-after-capped-reward-feature": 3,
            initial: 600_000_000,
            "min-increment": 50_000_000,
            "voting-interval": 3,
          },
          genesis: {
            "average-block-delay": `${averageDelayMs}ms`,
            "initial-base-target": 1240,
            timestamp: genesisMs,
            "block-timestamp": genesisMs,
            signature: null as string | null,
            "initial-balance": supply,
            transactions: genesisGrants(accounts, generatorShares),
          },
        },
      },
      wallet: {
        seed: encodeBase58(privateNetworkSecrets.walletSeed),
        "accounts-generated": generatorCount,
      },
      "rest-api": { "api-key-hash": privateNetworkSecrets.apiKeyHash, "minimum-peers": 0 },
      miner: {
        enable: true,
        quorum: 0,
        "interval-after-last-block-then-generation-is-allowed": "99999d",
        "max-transactions-in-micro-block": 500,
        "micro-block-interval": "1s",
        "min-micro-block-age": "500ms",
      },
      features: { supported: [supported] },
      rewards: { desired: 700_000_000 },
      db: {
        "store-transactions-by-address": true,
        "store-invoke-script-results": true,
        "store-lease-states-by-address": true,
        "store-state-hashes": true,
      },
    },
  };
}

/** Accounts that share in the block rewards; sometimes a generator, sometimes one account for both shares. */
function beneficiaries({ users, generators }: GeneratedAccounts, random: SeededRandom): [dao: string, buyback: string] {
  const candidates = [...users, ...generators].map(({ address }) => addressText(address));
  const dao = random.pick(candidates);
  return [dao, random.boolean(0.2) ? dao : random.pick(candidates)];
}
