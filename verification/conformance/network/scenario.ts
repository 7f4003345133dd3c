/** Interface of a scenario: its environment, sizes and result. */
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { Programs } from "./node-group.ts";
import type { NodeKind } from "./short-network.ts";

export interface Sizes {
  /** Blocks of a synced chain. */
  readonly syncBlocks: number;
  /** Blocks while two nodes mine. */
  readonly mineBlocks: number;
  /** Number of network partitions. */
  readonly cuts: number;
  /** Blocks on both sides of a partition. */
  readonly cutBlocks: number;
  /** Blocks while three kinds of nodes mine. */
  readonly threeBlocks: number;
  readonly kills: number;
  /** Blocks of a chain with endorsed blocks. */
  readonly endorsedBlocks: number;
  /** Blocks whose way through a node is timed. */
  readonly timedBlocks: number;
}

export const quickSizes: Sizes = {
  syncBlocks: 60,
  mineBlocks: 40,
  cuts: 2,
  cutBlocks: 6,
  threeBlocks: 30,
  kills: 3,
  endorsedBlocks: 60,
  timedBlocks: 20,
};

export const fullSizes: Sizes = {
  syncBlocks: 300,
  mineBlocks: 500,
  cuts: 10,
  cutBlocks: 20,
  threeBlocks: 200,
  kills: 20,
  endorsedBlocks: 200,
  timedBlocks: 100,
};

export interface Stage {
  readonly programs: Programs;
  /** Empty folder of the scenario. */
  readonly folder: string;
  readonly seed: number;
  readonly random: SeededRandom;
  readonly sizes: Sizes;
  /** Prints a line of progress. */
  readonly log: (line: string) => void;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** Kinds of nodes that the scenario requires. */
  readonly needs: readonly Exclude<NodeKind, "ours">[];
  /** @returns a message for each violation */
  readonly play: (stage: Stage) => Promise<string[]>;
}
