/** The network of simulated nodes: its settings, a generator for each node, and accounts that send transactions. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings, NodeSettings } from "../../../src/network/settings.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import type { KnownNames } from "../../chain-generator/chain-world.ts";
import {
  type GeneratedAccount,
  type GeneratedAccounts,
  makeAccounts,
} from "../../chain-generator/generated-accounts.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";

/**
 * Active rules. `current`: all; `committees`: all, with generators that commit to short periods repeatedly; `old`: none
 * newer than block rewards, so that blocks and transactions have their older forms; `growing`: those of `old`, and the
 * others as the chain grows.
 */
export type Era = "current" | "committees" | "old" | "growing";

export interface NetworkOptions {
  readonly era: Era;
  /** Number of generators. */
  readonly generators: number;
  /** Number of peers that a node needs to forge. */
  readonly quorum: number;
  /** Height by which all features are active on a growing network. */
  readonly blocks: number;
}

export interface NetworkWorld {
  readonly blockchain: BlockchainSettings;
  readonly node: NodeSettings;
  readonly genesisMs: number;
  /** Seed of each generator. */
  readonly walletSeeds: readonly Uint8Array[];
  /** All accounts, including the nodes' generators. */
  readonly accounts: GeneratedAccounts;
  /**
   * Accounts that only send small amounts out of large balances, one for each node: their transfers are valid on every
   * branch.
   */
  readonly payers: readonly GeneratedAccount[];
  readonly known: KnownNames;
}

const ACCOUNT_SEED_COUNT = 1_000;
const GENESIS_MS = 1_700_000_000_000;
/** The supply's hundredths that all generators have together. */
const GENERATORS_SHARE = 80n;
const MICRO_BLOCK_INTERVAL_MS = 1_000;
const MAX_ROLLBACK_DEPTH = 200;

export function makeNetworkWorld(random: SeededRandom, options: NetworkOptions): NetworkWorld {
  const { chainId } = privateNetwork.blockchain;
  const name = random.text(8);
  const account = (seed: Uint8Array): GeneratedAccount => {
    const keyPair = keyPairOfAccountSeed(accountSeed(seed, 0));
    return { ...keyPair, address: addressOfPublicKey(keyPair.publicKey, chainId) };
  };
  const numbers = Array.from({ length: options.generators }, (_, index) => index + 1);
  const walletSeeds = numbers.map((number) => utf8Bytes(`generator ${number} of ${name}`));
  const generators = walletSeeds.map(account);
  const payers = numbers.map((number) => account(utf8Bytes(`payer ${number} of ${name}`)));
  // Transaction generators may give a script to the last account, which then cannot forge under older rules: it belongs
  // to no node.
  const scripted = account(utf8Bytes(`scripted generator of ${name}`));
  const accounts: GeneratedAccounts = {
    ...makeAccounts(random.below(ACCOUNT_SEED_COUNT), chainId),
    generators: [...generators, scripted],
  };
  const others = [...accounts.users, ...accounts.wallets, ...payers, scripted];
  const { functionality, genesis, ...blockchain } = privateNetwork.blockchain;
  const ofGenerators = (genesis.initialBalance * GENERATORS_SHARE) / 100n;
  const granted = [
    ...equalShares(ofGenerators, generators),
    ...equalShares(genesis.initialBalance - ofGenerators, others),
  ];
  return {
    genesisMs: GENESIS_MS,
    walletSeeds,
    accounts,
    payers,
    known: { assets: [], leases: [], aliases: [], transactions: [], dApps: new Map() },
    blockchain: {
      ...blockchain,
      functionality: {
        ...functionality,
        preActivatedFeatures: activations(functionality.preActivatedFeatures, options, random),
        lightNodeBlockFieldsAbsenceInterval: options.era === "growing" ? random.below(5) : 0,
        ...(options.era === "committees" && {
          generationPeriodLength: random.between(5, 15),
          maxValidEndorsements: options.generators,
        }),
      },
      genesis: {
        ...genesis,
        blockTimestampMs: BigInt(GENESIS_MS),
        timestampMs: BigInt(GENESIS_MS),
        signature: undefined,
        transactions: granted,
      },
    },
    node: {
      ...privateNetwork.node,
      maxRollbackDepth: MAX_ROLLBACK_DEPTH,
      storeStateHashes: false,
      miner: {
        ...privateNetwork.node.miner,
        microBlockIntervalMs: MICRO_BLOCK_INTERVAL_MS,
        minMicroBlockAgeMs: random.pick([0, 500]),
        quorum: options.quorum,
      },
    },
  };
}

/** The same network, for a node that forges without peers. */
export function withoutQuorum(world: NetworkWorld): NetworkWorld {
  return { ...world, node: { ...world.node, miner: { ...world.node.miner, quorum: 0 } } };
}

function equalShares(total: bigint, accounts: readonly Pick<GeneratedAccount, "address">[]) {
  const share = total / BigInt(accounts.length);
  const rest = total - share * BigInt(accounts.length);
  return accounts.map(({ address }, index) => ({ recipient: address, amount: index === 0 ? share + rest : share }));
}

function activations(
  all: ReadonlyMap<number, number>,
  { era, blocks }: NetworkOptions,
  random: SeededRandom,
): ReadonlyMap<number, number> {
  if (era === "current") return all;
  if (era === "committees") return new Map([...all, [Feature.DeterministicFinality, random.pick([1, 1, 6])]]);
  const heights = [...all].filter(([feature]) => feature < Feature.BlockV5);
  if (era === "old") return new Map(heights);
  const last = Math.floor(blocks * 0.7);
  const step = Math.max(1, Math.floor(last / (Feature.BoostBlockReward - Feature.BlockV5 + 1)));
  let height = 3;
  for (let feature: number = Feature.BlockV5; feature <= Feature.BoostBlockReward; feature++) {
    height = Math.min(last, height + random.between(0, 2 * step));
    heights.push([feature, height]);
  }
  return new Map(heights);
}
