/** Chain without a node whose change notifications are recorded. */
import { type Chain, openChain } from "../../../durable/chain-state/chain/open-chain.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import type { TestDatabase } from "../../../verification/sqlite/test-database.ts";
import { startMs } from "./forked-nodes.ts";
import { testStore } from "./test-store.ts";

/** Context for blocks by the nodes of `forked-nodes.ts`. */
export const context = { nowMs: startMs + 3_600_000, verifySignatures: true };

interface NotifiedChange {
  readonly appended: readonly string[];
  readonly discarded: readonly string[] | undefined;
  readonly dropped: readonly string[];
}

export interface FollowedChain {
  readonly chain: Chain;
  readonly notifications: NotifiedChange[];
  /** State snapshot of each discarded transaction, by its id. */
  readonly stateSnapshots: Map<string, Uint8Array | undefined>;
  /** Height after each committed change. */
  readonly landed: number[];
  readonly database: TestDatabase;
}

/** Followed chain with the genesis block of the private network. */
export function followedChain(): FollowedChain {
  const told: NotifiedChange[] = [];
  const changeSets = new Map<string, Uint8Array | undefined>();
  const landed: number[] = [];
  const { store, database } = testStore();
  const chain = openChain({
    ...{ store, settings: privateNetwork.blockchain, transaction: database.transaction, maxRollbackDepth: 100 },
    follow: ({ appended, discarded, dropped }) => {
      const discardedNow = discarded && [...discarded];
      for (const { transaction, stateSnapshot } of discardedNow ?? [])
        changeSets.set(encodeBase58(transaction.id), stateSnapshot);
      told.push({
        appended: idsOf(appended),
        discarded: discardedNow && idsOf(discardedNow.map(({ transaction }) => transaction)),
        dropped: idsOf(dropped),
      });
      return () => landed.push(chain.view.height);
    },
  });
  chain.liquid.ensureGenesis(startMs);
  return { chain, notifications: told, stateSnapshots: changeSets, landed, database };
}

const idsOf = (transactions: Iterable<Pick<Transaction, "id">>): string[] =>
  [...transactions].map(({ id }) => encodeBase58(id));
