/** Remote state that was fetched. */

import type { ForkSource } from "../../../src/network/fork-source.ts";
import type { RemoteStateKey } from "../../../src/network/remote-state-key.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import type { StateStore } from "../state/state-store.ts";
import type { RemoteRequest, RemoteResponse } from "./remote-node.ts";

/** Row, with its own key if it is part of the state of a larger key. */
export interface FetchedRow {
  readonly row: RowChange;
  readonly part?: RemoteStateKey;
}

/** Tables of the fork while rows are made: nothing changes between that and the writing of them. */
export interface ForkTables {
  readonly store: StateStore;
  readonly isKnown: (key: RemoteStateKey) => boolean;
}

export interface RemoteStateValue {
  /** Base58 address of the account whose transactions change the state; undefined: it never changes. */
  readonly owner?: string | undefined;
  /** Keys that must be known as well. */
  readonly needs?: readonly RemoteStateKey[];
  /** Rows of the state. Existing rows, and those of known parts, are not written. */
  readonly rows: (tables: ForkTables) => readonly FetchedRow[];
}

/** Lookups in the fork's own blocks. */
export interface OwnChain {
  readonly tipHeight: () => number;
  /** Height of a block in the tables. */
  readonly heightOf: (blockId: string) => number | undefined;
  readonly transactionHeight: (id: string) => number | undefined;
  readonly issueHeight: (assetId: string) => number | undefined;
  /** Some accounts of the live network with scripts. */
  readonly dApps: () => readonly string[];
  readonly hasToken: (token: string) => boolean;
}

export interface FetchContext {
  readonly own: OwnChain;
  /** Returns the response of the live node, or the stored one. */
  readonly request: (request: RemoteRequest) => Promise<RemoteResponse>;
  readonly source: ForkSource;
  readonly settings: BlockchainSettings;
}

/** The object does not exist. */
export const absentState: RemoteStateValue = { rows: () => [] };
