/** Members of a simulated network of generators: accounts, balances, their nodes, and the shared settings. */
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { Feature, type FeatureActivation, featureActivationOf } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import { DELAY_SPREAD_MS, STAKE_SCALE } from "../../../src/rules/consensus/block-delay.ts";
import { minimumBalance } from "../../../src/rules/consensus/generating-balance.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { cheapKey } from "./cheap-signatures.ts";
import { type Hostility, hostilities } from "./hostility.ts";

export interface Member {
  /** Index among all accounts. */
  readonly number: number;
  readonly address: Address;
  readonly publicKey: PublicKey;
  readonly endorserKey: Uint8Array;
  /** Initial balance, wavelets. */
  readonly balance: bigint;
  /** Node whose wallet has it. */
  readonly node: number;
}

export interface CommitteeWorld {
  readonly seed: string;
  readonly settings: BlockchainSettings;
  readonly features: FeatureActivation;
  /** Generators, and after them one more account that never forges: it sends and receives. */
  readonly members: readonly Member[];
  readonly outsider: Member;
  readonly nodes: number;
  /** Behaviour of hostile nodes, by node. Together they have less than a third of all balances. */
  readonly hostile: ReadonlyMap<number, Hostility>;
  /** Average time between two blocks, ms. */
  readonly blockMs: number;
  readonly microBlockMs: number;
  /** Longest delay of a message, ms. */
  readonly latencyMs: number;
}

const waves = 100_000_000n;
const LEAST_MEMBERS = 4;
const MOST_MEMBERS_LOG2 = 7;
const MOST_NODES = 9;
const RICHEST_WAVES = 1_000_000;

/** Block times of mainnet, of the private network, and of a faster one. */
const blockTimings = [
  { blockMs: 60_000, minBlockTimeMs: 15_000, delayDelta: 8 },
  { blockMs: 10_000, minBlockTimeMs: 5_000, delayDelta: 0 },
  { blockMs: 5_000, minBlockTimeMs: 2_000, delayDelta: 0 },
] as const;

export interface CommitteeOptions {
  /** Seed of the run's random numbers. */
  readonly seed: string;
  /** True if some nodes are hostile. */
  readonly isHostile: boolean;
  /** Default: drawn for each. */
  readonly hostility?: Hostility | undefined;
  /**
   * Slow network: messages take up to a fifth of the block time (by default a two-hundredth at most), cuts overlap, and
   * last as long as periods.
   */
  readonly isSlow?: boolean | undefined;
}

export function makeCommitteeWorld(options: CommitteeOptions, random: SeededRandom): CommitteeWorld {
  const { seed } = options;
  const count = Math.max(LEAST_MEMBERS, Math.round(2 ** (2 + (random.below(1_001) / 1_000) * (MOST_MEMBERS_LOG2 - 2))));
  const nodes = Math.min(count, random.between(4, MOST_NODES));
  const { chainId } = privateNetwork.blockchain;
  const equality = random.pick(["equal", "drawn", "few rich"] as const);
  const member = (number: number): Member => {
    const publicKey = Uint8Array.from({ length: 32 }, (_, index) =>
      index < 2 ? number >> (8 * index) : 7,
    ) as PublicKey;
    return {
      number,
      publicKey,
      address: addressOfPublicKey(publicKey, chainId),
      endorserKey: cheapKey(number + 1),
      balance: balanceOf(number, equality, random),
      node: number < nodes ? number : random.below(nodes),
    };
  };
  const members = Array.from({ length: count }, (_, number) => member(number));
  const outsider = { ...member(count), balance: BigInt(RICHEST_WAVES) * waves };
  const { blockMs, minBlockTimeMs, delayDelta } = random.pick(blockTimings);
  const activation = random.pick([1, 1, random.between(2, 15)]);
  const { functionality, genesis, ...settings } = privateNetwork.blockchain;
  return {
    seed,
    settings: {
      ...settings,
      functionality: {
        ...functionality,
        // Long enough that commitments reach both sides of a cut before the period begins.
        generationPeriodLength: options.isSlow === true ? random.between(4, 25) : random.between(40, 60),
        maxValidEndorsements: random.pick([count, 128]),
        minBlockTimeMs,
        delayDelta,
      },
      genesis: {
        ...genesis,
        averageBlockDelayMs: blockMs,
        initialBaseTarget: baseTargetFor({ blockMs, minBlockTimeMs }, members),
      },
    },
    features: featureActivationOf(
      new Map([
        [Feature.SmallerMinimalGeneratingBalance, 0],
        [Feature.RideV6, 0],
        [Feature.DeterministicFinality, activation],
      ]),
    ),
    ...{ members, outsider, nodes },
    hostile: options.isHostile ? hostileNodes(members, nodes, random, options.hostility) : new Map(),
    blockMs,
    // PERF: each micro-block is a state of its own.
    microBlockMs: Math.floor(blockMs / random.pick([3, 6, 12])),
    latencyMs: Math.floor(blockMs / (options.isSlow === true ? 5 : random.pick([200, 400, 1_000]))),
  };
}

/** Base target at which the fastest member's delay is about the block time: the inverse of `blockDelayMs`. */
function baseTargetFor(
  { blockMs, minBlockTimeMs }: { readonly blockMs: number; readonly minBlockTimeMs: number },
  members: readonly Member[],
): bigint {
  const total = members.reduce((sum, { balance }) => sum + balance, 0n);
  const factor = Math.expm1((blockMs - minBlockTimeMs) / DELAY_SPREAD_MS);
  return BigInt(Math.ceil(STAKE_SCALE / Number(total) / factor));
}

/** Balance that suffices to forge after two deposits, and up to a thousand times as much. */
function balanceOf(number: number, equality: "equal" | "drawn" | "few rich", random: SeededRandom): bigint {
  const least = minimumBalance / waves + 300n;
  if (equality === "equal") return 10n * least * waves;
  if (equality === "few rich" && number < LEAST_MEMBERS) return BigInt(RICHEST_WAVES) * waves;
  return (least + BigInt(random.below(equality === "drawn" ? RICHEST_WAVES : 20_000))) * waves;
}

/** Random nodes with less than a third of the balances together. */
function hostileNodes(
  members: readonly Member[],
  nodes: number,
  random: SeededRandom,
  hostility: Hostility | undefined,
): ReadonlyMap<number, Hostility> {
  const total = members.reduce((sum, { balance }) => sum + balance, 0n);
  const hostile = new Map<number, Hostility>();
  let weight = 0n;
  for (let node = 0; node < nodes; node++) {
    const more = members.reduce((sum, member) => (member.node === node ? sum + member.balance : sum), 0n);
    // Stays below a third by a margin, because deposits change shares a little, and others may become poor.
    if (10n * (weight + more) >= 3n * total || random.boolean(0.3)) continue;
    weight += more;
    hostile.set(node, hostility ?? random.pick(hostilities));
  }
  return hostile;
}
