/** Faults of a simulated network and their times, drawn from its seed. Rates differ between networks. */
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { TaskCrash } from "./machine-options.ts";

export const networkFaults = [
  "connection cut",
  "connections of a node cut",
  "slow line",
  "partition",
  "node ends",
  "node ends in a turn",
  "chain object ends",
  "peers object ends",
  "read model away",
] as const;
export type NetworkFault = (typeof networkFaults)[number];

/** Faults between two tasks, by relative frequency. */
const weights: Readonly<Record<Exclude<NetworkFault, "node ends in a turn">, number>> = {
  "connection cut": 6,
  "connections of a node cut": 2,
  "slow line": 4,
  partition: 2,
  "node ends": 3,
  "chain object ends": 2,
  "peers object ends": 2,
  "read model away": 1,
};
const KIND_PROBABILITY = 0.8;
const LONG_DOWN_PROBABILITY = 0.1;
/** A task has up to some hundred statements, most have few: the first ones fail as often as all later ones. */
const MOST_STATEMENTS_LOG2 = 9;

export class NetworkDraw {
  /** True: no faults. */
  isQuiet = false;
  readonly #random: SeededRandom;
  readonly #kinds: readonly { readonly kind: keyof typeof weights; readonly weight: number }[];
  /** Average time between two faults, ms. */
  readonly #pauseMs: number;
  readonly #taskCrashProbability: number;

  constructor(random: SeededRandom) {
    this.#random = random;
    this.#kinds = (Object.keys(weights) as (keyof typeof weights)[])
      .filter(() => random.boolean(KIND_PROBABILITY))
      .map((kind) => ({ kind, weight: weights[kind] }));
    this.#pauseMs = random.pick([20_000, 40_000, 90_000]);
    this.#taskCrashProbability = random.pick([0, 0.0002, 0.0005]);
  }

  /** Draws the fault of an interval, ms. */
  next(whileMs: number): keyof typeof weights | undefined {
    if (this.isQuiet || this.#kinds.length === 0 || !this.#random.boolean(whileMs / this.#pauseMs)) return undefined;
    return this.#random.pickByWeight(this.#kinds).kind;
  }

  taskCrash(): TaskCrash | undefined {
    const random = this.#random;
    if (this.isQuiet || !random.boolean(this.#taskCrashProbability)) return undefined;
    return { after: random.below(2 ** random.between(0, MOST_STATEMENTS_LOG2)), persists: random.boolean(0.5) };
  }

  /** Duration of a fault, ms: mostly some seconds. */
  shortMs(): number {
    return this.#random.between(1, 2 ** this.#random.between(8, 17));
  }

  /** Downtime of a node, ms: mostly some seconds, occasionally a hundred blocks. */
  downMs(): number {
    return this.#random.boolean(LONG_DOWN_PROBABILITY) ? this.#random.below(2 ** 20) : this.shortMs();
  }

  /** Duration of a partition, ms: seconds to some minutes. */
  partitionMs(): number {
    return this.#random.between(1_000, 2 ** this.#random.between(14, 18));
  }

  /** Additional latency of a slow line, ms. */
  slowerMs(): number {
    return this.#random.between(100, 10_000);
  }

  pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  below(limit: number): number {
    return this.#random.below(limit);
  }

  boolean(probability: number): boolean {
    return this.#random.boolean(probability);
  }
}
