/** An attack and the load that it is compared with. One file each, listed in `all-attacks.ts`. */
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { AttackedNode } from "./attacked-node.ts";

/** Number of results of a load, by the result's name. */
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
   * At most as many requests of the same declared complexity, from a client that pays for them or owns the node.
   * Without it the attack is compared with an otherwise idle node.
   */
  readonly honest?: (outcomes: ResultCounts) => Load;
  /** Further errors after the attack, a message each: it never reached the node, or it left something behind. */
  readonly findErrors?: (outcomes: ResultCounts) => Promise<readonly string[]> | readonly string[];
}

export interface Attack {
  readonly name: string;
  /** Description for the help. */
  readonly about: string;
  /**
   * Flags of the node besides `--memory`; by default none.
   * @param folder for files of the attack
   */
  readonly flags?: (folder: string) => readonly string[];
  /** Set if the node is a dev chain, which has no peers. */
  readonly isDev?: true;
  /** Creates the accounts and scripts that the attack needs. */
  readonly prepare: (node: AttackedNode, random: SeededRandom) => Promise<PreparedAttack>;
}
