/** What came of asking for a fact. */

import type { ForkSource } from "../../src/network/fork-source.ts";
import type { RemoteFact } from "../../src/network/remote-fact.ts";
import type { BlockchainSettings } from "../../src/network/settings.ts";
import type { RowChange } from "../../src/tables/schema/row-change.ts";
import type { StateStore } from "../state/state-store.ts";
import type { RemoteQuestion, RemoteReply } from "./remote-node.ts";

/** A row, and the smaller fact that it is, where it is a part of a larger one. */
export interface BroughtRow {
  readonly row: RowChange;
  readonly part?: RemoteFact;
}

/** What the fork has while rows are made: nothing happens between that and the writing of them. */
export interface ForkTables {
  readonly store: StateStore;
  readonly isKnown: (fact: RemoteFact) => boolean;
}

export interface BroughtFact {
  /** Base58 address of the account by whose transactions it changes; undefined: what was answered holds for ever. */
  readonly owner?: string | undefined;
  /** What must be known with it. */
  readonly needs?: readonly RemoteFact[];
  /** Its rows. Those that are there already, and those of parts that are known, are not written. */
  readonly rows: (tables: ForkTables) => readonly BroughtRow[];
}

/** What the fork's own blocks say. */
export interface OwnChain {
  readonly tipHeight: () => number;
  /** Of a block that is in the tables. */
  readonly heightOf: (blockId: string) => number | undefined;
  readonly transactionHeight: (id: string) => number | undefined;
  readonly issueHeight: (assetId: string) => number | undefined;
  /** Some accounts with scripts of the network behind the fork. */
  readonly dApps: () => readonly string[];
  readonly hasToken: (token: string) => boolean;
}

export interface AskingFacts {
  readonly own: OwnChain;
  /** Asks the node behind the fork, or what it has answered before. */
  readonly ask: (question: RemoteQuestion) => Promise<RemoteReply>;
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
}

/** Nothing of the kind is there. */
export const nothingThere: BroughtFact = { rows: () => [] };
