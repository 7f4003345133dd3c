/**
 * A private network with short blocks, which three kinds of nodes understand alike: every feature is in force from
 * height 1, which is the one way that all of them support. Each kind of node forges with an account of its own.
 */
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { accountSeed } from "../../../src/crypto/seed.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork, privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { parseNetwork } from "../../../src/network/parse-network.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import {
  type GeneratedAccount,
  type GeneratedAccounts,
  makeAccounts,
} from "../../chain-generator/generated-accounts.ts";
import type { GeneratedNetwork } from "../../chain-generator/generated-network.ts";
import { genesisGrants, supply } from "../../chain-generator/genesis-grants.ts";

/** Index of each forging account among the generators. The last one is usually on no node, and may get a script. */
export const minerIndexes = { ours: 0, reference: 1, go: 2, spare: 3 } as const;
export type MinerAccount = keyof typeof minerIndexes;
export type NodeKind = Exclude<MinerAccount, "spare">;

export interface ShortNetwork extends GeneratedNetwork {
  readonly accounts: GeneratedAccounts;
}

/** Average time between blocks; `min-block-time` is the minimum. */
export const averageBlockDelayMs = 2_000;
export const minBlockTimeMs = 1_000;
/** Factor for networks with endorsed blocks: endorsements need a round trip before the next block. */
const endorsedBlocksFactor = 2;
/** Gives the average block delay from the start: the generators own nine tenths of all WAVES. */
const initialBaseTarget = 3_900n;
/** First height with transactions: the Go node's own third block is wrong if the second one has some. */
export const firstBusyHeight = 3;
export const lightNodeAbsence = 2;
const votingPeriod = 5;
const generatorShares = [30n, 30n, 30n, 1n] as const;
/** Shares of WAVES: three endorsers, or two of the rich ones and the last one, hold two thirds. */
const endorserShares = [25n, 25n, 25n, 15n] as const;
/** Features in force from the start: all that release 1.5 of the reference has. */
const activeFeatures: readonly number[] = Array.from({ length: Feature.BoostBlockReward }, (_, index) => index + 1);
/** Length of a generation period in networks with deterministic finality, blocks. */
export const generationPeriodLength = 10;
const maxValidEndorsements = 3;

export interface ShortNetworkOptions {
  /** Whether generators commit to periods and endorse blocks. Release 1.5 of the reference cannot take part. */
  readonly isFinal?: boolean;
  /** Maximum age of a transaction, ms; by default two hours. */
  readonly backOffsetMs?: number;
  /** Factor of the block time; by default 1, and 2 if blocks are endorsed. */
  readonly blockTimeFactor?: number;
}

/** @param genesisMs time of the first block */
export function makeShortNetwork(
  seed: number,
  genesisMs: number,
  {
    isFinal = false,
    backOffsetMs = 7_200_000,
    blockTimeFactor = isFinal ? endorsedBlocksFactor : 1,
  }: ShortNetworkOptions = {},
): ShortNetwork {
  const accounts = makeAccounts(seed, privateNetwork.blockchain.chainId);
  const json = networkJson(genesisMs, accounts, { isFinal, backOffsetMs, blockTimeFactor });
  const { signature } = genesisBlock(parseNetwork(json, "short").blockchain);
  json.waves.blockchain.custom.genesis.signature = encodeBase58(signature);
  const settings = parseNetwork(json, "short");
  return {
    variant: "active",
    json,
    // The single forger in this process has the accounts of all generators.
    settings: { ...settings, node: { ...settings.node, walletAccounts: accounts.generators.length } },
    votingFrom: Number.MAX_SAFE_INTEGER,
    accounts,
  };
}

/** Seed of the account with which a node forges. */
export function minerSeed(miner: MinerAccount): Uint8Array {
  return accountSeed(privateNetworkSecrets.walletSeed, minerIndexes[miner]);
}

export function minerOf({ accounts }: ShortNetwork, miner: MinerAccount): GeneratedAccount {
  return accounts.generators[minerIndexes[miner]] as GeneratedAccount;
}

function networkJson(
  genesisMs: number,
  accounts: GeneratedAccounts,
  { isFinal, backOffsetMs, blockTimeFactor }: Required<ShortNetworkOptions>,
) {
  const [dao, buyback] = accounts.users;
  const features = isFinal ? [...activeFeatures, Feature.DeterministicFinality] : activeFeatures;
  const heights = Object.fromEntries(features.map((feature) => [feature, 1]));
  return {
    description: "Short blocks, for nodes of several kinds.",
    waves: {
      blockchain: {
        type: "CUSTOM",
        custom: {
          "address-scheme-character": privateNetwork.blockchain.schemeCharacter,
          functionality: {
            "feature-check-blocks-period": votingPeriod,
            "blocks-for-feature-activation": votingPeriod - 1,
            "generation-balance-depth-from-50-to-1000-after-height": 0,
            "block-version-3-after-height": 0,
            // A sponsor pays one voting period after the feature: with this height, from the start.
            "pre-activated-features": { ...heights, [Feature.FeeSponsorship]: 1 - votingPeriod },
            "double-features-periods-after-height": 1_000_000_000,
            "max-transaction-time-back-offset": `${backOffsetMs}ms`,
            "max-transaction-time-forward-offset": "90m",
            "reset-effective-balances-at-height": 0,
            "min-asset-info-update-interval": 2,
            "min-block-time": `${minBlockTimeMs * blockTimeFactor}ms`,
            "delay-delta": 8,
            "dao-address": addressText((dao as GeneratedAccount).address),
            "xtn-buyback-address": addressText((buyback as GeneratedAccount).address),
            "xtn-buyback-reward-period": 10,
            "light-node-block-fields-absence-interval": lightNodeAbsence,
            "block-reward-boost-period": 20,
            ...(isFinal && {
              "generation-period-length": generationPeriodLength,
              "max-valid-endorsers": maxValidEndorsements,
            }),
          },
          // Longer than any generated chain: the Go node counts short terms from the start of the chain otherwise.
          rewards: {
            term: 10_000,
            "term-after-capped-reward-feature": 10_000,
            initial: 600_000_000,
            "min-increment": 50_000_000,
            "voting-interval": 10,
          },
          genesis: {
            "average-block-delay": `${averageBlockDelayMs * blockTimeFactor}ms`,
            "initial-base-target": initialBaseTarget / BigInt(blockTimeFactor),
            timestamp: genesisMs,
            "block-timestamp": genesisMs,
            signature: null as string | null,
            "initial-balance": supply,
            transactions: genesisGrants(accounts, isFinal ? endorserShares : generatorShares),
          },
        },
      },
      wallet: { seed: encodeBase58(privateNetworkSecrets.walletSeed), "accounts-generated": 1 },
      "rest-api": { "api-key-hash": privateNetworkSecrets.apiKeyHash, "minimum-peers": 0 },
      miner: {
        enable: true,
        quorum: 0,
        "interval-after-last-block-then-generation-is-allowed": "99999d",
        "max-transactions-in-micro-block": 500,
        "micro-block-interval": "500ms",
        "min-micro-block-age": "0s",
        "no-quorum-mining-delay": "500ms",
      },
      db: {
        "store-transactions-by-address": true,
        "store-invoke-script-results": true,
        "store-lease-states-by-address": true,
        "store-state-hashes": true,
      },
    },
  } satisfies JsonObject;
}
