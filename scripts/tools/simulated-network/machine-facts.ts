/** What a node of a simulated network is given. */
import type { SeededRandom } from "../chain-maker/seeded-random.ts";
import type { NetworkWorld } from "./network-world.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import type { SimulatedHost, SimulatedInternet } from "./simulated-internet.ts";

/** The process ends at a statement of a turn. @param keeps whether what was written before it in the turn is on the disk */
export interface TurnEnd {
  readonly after: number;
  readonly keeps: boolean;
}

export interface MachineFacts {
  readonly index: number;
  /** It takes what transactions do from snapshots of others. */
  readonly isLight: boolean;
  readonly world: NetworkWorld;
  readonly clock: SimulatedClock;
  readonly internet: SimulatedInternet;
  readonly host: SimulatedHost;
  /** Where it finds others at its first start, `host:port`. */
  readonly knownPeers: readonly string[];
  /** By how much its clock is ahead, ms. */
  readonly skewMs: number;
  readonly random: SeededRandom;
  /** Asked in each turn of its chain. */
  readonly turnEnd: () => TurnEnd | undefined;
  /** Is told that the process has ended in a turn. */
  readonly died: () => void;
  /** Is told of what a client's question ended with instead of an answer. */
  readonly failed: (error: unknown) => void;
}
