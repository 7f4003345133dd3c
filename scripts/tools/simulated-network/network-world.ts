/** The network that simulated nodes are in: its settings, a generator for each of them, and accounts that make transactions. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings, NodeSettings } from "../../../src/network/settings.ts";
import { utf8Bytes } from "../../../src/protocol/codec/utf8.ts";
import type { KnownNames } from "../chain-maker/chain-world.ts";
import { type MadeAccount, type MadeAccounts, makeAccounts } from "../chain-maker/made-accounts.ts";
import type { SeededRandom } from "../chain-maker/seeded-random.ts";

/**
 * Which rules are in force. `current`: all; `committees`: all, and generators commit to short periods, again and again; `old`: none that
 * is younger than block rewards, so that blocks and transactions have their older forms; `growing`: those of `old`, and the others as
 * the chain grows.
 */
export type Era = "current" | "committees" | "old" | "growing";

export interface NetworkWish {
  readonly era: Era;
  /** How many generators there are. */
  readonly generators: number;
  /** With so many others a node must be connected to make blocks. */
  readonly quorum: number;
  /** By which height everything is in force on a growing network. */
  readonly blocks: number;
}

export interface NetworkWorld {
  readonly blockchain: BlockchainSettings;
  readonly node: NodeSettings;
  readonly genesisMs: number;
  /** Of each generator. */
  readonly walletSeeds: readonly Uint8Array[];
  /** The nodes' generators among them. */
  readonly accounts: MadeAccounts;
  /**
   * Who does nothing but paying a little of very much, one for each of them: what they send is valid on every branch, whatever
   * the others do.
   */
  readonly payers: readonly MadeAccount[];
  readonly known: KnownNames;
}

const MADE_CHAINS = 1_000;
const GENESIS_MS = 1_700_000_000_000;
/** The supply's hundredths that all generators have together. */
const GENERATORS_SHARE = 80n;
const MICRO_BLOCK_INTERVAL_MS = 1_000;
const KEPT_BLOCKS = 200;

export function makeNetworkWorld(random: SeededRandom, wish: NetworkWish): NetworkWorld {
  const { chainId } = privateNetwork.blockchain;
  const name = random.text(8);
  const account = (seed: Uint8Array): MadeAccount => {
    const keyPair = keyPairOfAccountSeed(accountSeed(seed, 0));
    return { ...keyPair, address: addressOfPublicKey(keyPair.publicKey, chainId) };
  };
  const numbers = Array.from({ length: wish.generators }, (_, index) => index + 1);
  const walletSeeds = numbers.map((number) => utf8Bytes(`generator ${number} of ${name}`));
  const generators = walletSeeds.map(account);
  const payers = numbers.map((number) => account(utf8Bytes(`payer ${number} of ${name}`)));
  // Makers may give a script to the last generator, which then makes no blocks under older rules: that one has no node.
  const scripted = account(utf8Bytes(`scripted generator of ${name}`));
  const accounts: MadeAccounts = {
    ...makeAccounts(random.below(MADE_CHAINS), chainId),
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
        preActivatedFeatures: activations(functionality.preActivatedFeatures, wish, random),
        lightNodeBlockFieldsAbsenceInterval: wish.era === "growing" ? random.below(5) : 0,
        ...(wish.era === "committees" && {
          generationPeriodLength: random.between(5, 15),
          maxValidEndorsements: wish.generators,
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
      maxRollbackDepth: KEPT_BLOCKS,
      storeStateHashes: false,
      miner: {
        ...privateNetwork.node.miner,
        microBlockIntervalMs: MICRO_BLOCK_INTERVAL_MS,
        minMicroBlockAgeMs: random.pick([0, 500]),
        quorum: wish.quorum,
      },
    },
  };
}

/** The same network, for a node that makes blocks by itself. */
export function withoutQuorum(world: NetworkWorld): NetworkWorld {
  return { ...world, node: { ...world.node, miner: { ...world.node.miner, quorum: 0 } } };
}

function equalShares(total: bigint, accounts: readonly Pick<MadeAccount, "address">[]) {
  const share = total / BigInt(accounts.length);
  const rest = total - share * BigInt(accounts.length);
  return accounts.map(({ address }, index) => ({ recipient: address, amount: index === 0 ? share + rest : share }));
}

function activations(
  all: ReadonlyMap<number, number>,
  { era, blocks }: NetworkWish,
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
