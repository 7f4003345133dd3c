/** Dependencies of a node in a simulated network. */
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { NetworkWorld } from "./network-world.ts";
import type { SimulatedClock } from "./simulated-clock.ts";
import type { SimulatedHost, SimulatedInternet } from "./simulated-internet.ts";

/** Crash of the process at a statement of a task. @param persists true: earlier writes of the task are on disk */
export interface TaskCrash {
  readonly after: number;
  readonly persists: boolean;
}

export interface MachineOptions {
  readonly index: number;
  /** Light node: applies state snapshots of its peers. */
  readonly isLight: boolean;
  readonly world: NetworkWorld;
  readonly clock: SimulatedClock;
  readonly internet: SimulatedInternet;
  readonly host: SimulatedHost;
  /** Peers for its first start, `host:port`. */
  readonly knownPeers: readonly string[];
  /** Offset of its clock, ms. */
  readonly skewMs: number;
  readonly random: SeededRandom;
  /** Called in each task of its chain. */
  readonly drawTaskCrash: () => TaskCrash | undefined;
  /** Called when the process has ended in a task. */
  readonly died: () => void;
  /** Called with the error of a client's request. */
  readonly failed: (error: unknown) => void;
}
