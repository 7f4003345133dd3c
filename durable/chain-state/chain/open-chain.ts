/** The chain over a store, wired from its components. */
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { AuthorizationExemption } from "../../../src/rules/state/authorization-exemption.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";
import { type PublishedPosition, rollBackPublished } from "../state/published-position.ts";
import { dropMarksAfter } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { BranchBlocks } from "./branch-blocks.ts";
import { CandidateChain } from "./candidate-chain.ts";
import type { FollowChange } from "./chain-change.ts";
import { Committer, type CommitterOptions, type RecordStorageOptions } from "./committer.ts";
import { ForkChoice } from "./fork-choice.ts";
import { LiquidChain } from "./liquid-chain.ts";
import { StoredChain } from "./stored-chain.ts";

const storesNothing: RecordStorageOptions = { storeStateHashes: false, storeSnapshots: false };

export interface OpenChainOptions extends Pick<CommitterOptions, "transaction" | "maxRollbackDepth"> {
  readonly store: StateStore;
  readonly settings: BlockchainSettings;
  /** Records to store that no rule needs; by default none. */
  readonly storage?: RecordStorageOptions;
  /** Called for each change of the chain. */
  readonly follow?: FollowChange;
  /** View of a state that is not whole in the store; by default a view of the store alone. */
  readonly view?: TableView;
  /** Exemption from authorization on a dev chain. */
  readonly exemption?: AuthorizationExemption | undefined;
}

export interface Chain {
  readonly view: TableView;
  readonly stored: StoredChain;
  readonly liquid: LiquidChain;
  readonly forks: ForkChoice;
  readonly committer: Committer;
}

/** Opens the chain that the store holds; a new one does not even have a genesis block. */
export function openChain({ store, settings, transaction, maxRollbackDepth, ...facts }: OpenChainOptions): Chain {
  const { storage = storesNothing, follow = () => () => {}, exemption } = facts;
  const { view = new TableView(store, settings, exemption) } = facts;
  const stored = new StoredChain(view, store);
  const takenBack = (tip: PublishedPosition) => {
    rollBackPublished(store.sql, tip);
    dropMarksAfter(store.sql, tip);
  };
  const committer = new Committer({
    store,
    stored,
    transaction,
    maxRollbackDepth,
    storage,
    follow,
    takenBack,
  });
  const liquid = new LiquidChain({ store, stored, committer });
  const branches = new BranchBlocks(store, settings.chainId);
  const candidate = new CandidateChain({ store, stored, maxRollbackDepth, storage });
  const forks = new ForkChoice({ store, stored, committer, liquid, branches, candidate });
  return { view, stored, liquid, forks, committer };
}
