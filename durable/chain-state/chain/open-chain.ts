/** The chain over a store, wired from its parts. */
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { AuthorizationExemption } from "../../../src/rules/state/authorization-exemption.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";
import { type ShownPlace, takeBackShown } from "../state/published-position.ts";
import { dropMarksBehind } from "../state/published-state.ts";
import type { StateStore } from "../state/state-store.ts";
import { BranchBlocks } from "./branch-blocks.ts";
import { CandidateChain } from "./candidate-chain.ts";
import type { FollowChange } from "./chain-change.ts";
import { type CommitFacts, CommitStep, type KeptRecords } from "./committer.ts";
import { ForkChoice } from "./fork-choice.ts";
import { LiquidChain } from "./liquid-chain.ts";
import { StoredChain } from "./stored-chain.ts";

const keepsNothing: KeptRecords = { storeStateHashes: false, storeSnapshots: false };

export interface ChainFacts extends Pick<CommitFacts, "transaction" | "maxRollbackDepth"> {
  readonly store: StateStore;
  readonly settings: BlockchainSettings;
  /** By default nothing. */
  readonly keeps?: KeptRecords;
  /** Changes with the chain. */
  readonly follow?: FollowChange;
  /** Of a state that is not whole in the store; by default the store's own. */
  readonly view?: TableView;
  /** Of a dev chain. */
  readonly exemption?: AuthorizationExemption | undefined;
}

export interface Chain {
  readonly view: TableView;
  readonly stored: StoredChain;
  readonly liquid: LiquidChain;
  readonly forks: ForkChoice;
  readonly steps: CommitStep;
}

/** Opens the chain that the store holds; a new one has not even a genesis block. */
export function openChain({ store, settings, transaction, maxRollbackDepth, ...facts }: ChainFacts): Chain {
  const { keeps = keepsNothing, follow = () => () => {}, exemption } = facts;
  const { view = new TableView(store, settings, exemption) } = facts;
  const stored = new StoredChain(view, store);
  const takenBack = (tip: ShownPlace) => {
    takeBackShown(store.sql, tip);
    dropMarksBehind(store.sql, tip);
  };
  const steps = new CommitStep({ store, stored, transaction, maxRollbackDepth, keeps, follow, takenBack });
  const liquid = new LiquidChain({ store, stored, steps });
  const branches = new BranchBlocks(store, settings.chainId);
  const candidate = new CandidateChain({ store, stored, maxRollbackDepth, keeps });
  const forks = new ForkChoice({ store, stored, steps, liquid, branches, candidate });
  return { view, stored, liquid, forks, steps };
}
