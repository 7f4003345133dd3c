/** What a scenario is given, and what comes of it. */
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import type { Programs } from "./node-group.ts";
import type { NodeKind } from "./short-network.ts";

export interface Sizes {
  /** Of a chain that is synced. */
  readonly syncBlocks: number;
  /** In which two mine. */
  readonly mineBlocks: number;
  /** How often the link is cut. */
  readonly cuts: number;
  /** On both sides while it is cut. */
  readonly cutBlocks: number;
  /** In which three kinds mine. */
  readonly threeBlocks: number;
  readonly kills: number;
  /** Of a chain whose blocks are endorsed. */
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
  /** Shows a line of progress. */
  readonly log: (line: string) => void;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** Nodes without which there is nothing to do. */
  readonly needs: readonly Exclude<NodeKind, "ours">[];
  /** @returns a sentence for each thing that is not as it should be */
  readonly play: (stage: Stage) => Promise<string[]>;
}
