/** An attack, and what it is held against. One file each, listed in `all-attacks.ts`. */
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { AttackedNode } from "./attacked-node.ts";

/** How often each thing happened that came of a load, by its name. */
export type ResultCounts = Map<string, number>;

export interface LoadOptions {
  readonly connections: number;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

export type Load = (options: LoadOptions) => Promise<ResultCounts>;

export interface PreparedAttack {
  readonly hostile: Load;
  /**
   * At most as many requests, of the same declared complexity, from somebody who pays for them or owns the node. Without it the
   * attack is held against a node that nobody else asks anything.
   */
  readonly honest?: (outcomes: ResultCounts) => Load;
  /** What else is wrong after the attack, a sentence each: that it never reached the node, or what it has left. */
  readonly findErrors?: (outcomes: ResultCounts) => Promise<readonly string[]> | readonly string[];
}

export interface Attack {
  readonly name: string;
  /** What it does, for the help. */
  readonly about: string;
  /**
   * Flags of the node beside `--memory`; by default none.
   * @param folder for files of the attack
   */
  readonly flags?: (folder: string) => readonly string[];
  /** The node is a dev chain, which has no peers. */
  readonly isDev?: true;
  /** Makes the accounts and scripts that it takes. */
  readonly prepare: (node: AttackedNode, random: SeededRandom) => Promise<PreparedAttack>;
}
