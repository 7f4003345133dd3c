/**
 * Repeated transaction ids. While names could be taken over, an alias's id could come twice, and so could a payment's.
 * Both transactions stay in their blocks and in the lists of their accounts; the id leads to the later one.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { commitRows } from "../../../durable/chain-state/chain/rows/block-rows.ts";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { UnpublishedTransactions } from "../../../durable/chain-state/publish/unpublished-transactions.ts";
import type { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import type { Digest } from "../../../src/crypto/identities.ts";
import type { BlockId } from "../../../src/protocol/blocks/block.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { LatestState } from "../../../src/read-model/latest-state.ts";
import type { Query } from "../../../src/read-model/query.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import {
  locationsQuery,
  transactionQuery,
  transactionsOfAddressQuery,
  transactionsOfBlockQuery,
  transactionsQuery,
} from "../../../src/read-model/transaction.ts";
import { noUsage } from "../../../src/rules/blocks/block-run.ts";
import { OverlayView } from "../../../src/rules/state/overlay-view.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import type { RowChange } from "../../../src/tables/schema/row-change.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";
import { readModelDifferences } from "../../../verification/sqlite/compare-read-model.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import type { TestDatabase } from "../../../verification/sqlite/test-database.ts";
import { addresses, sample } from "../../support/builders/sample-transactions.ts";
import { testPublisher } from "../../support/builders/test-publisher.ts";
import { testStore } from "../../support/builders/test-store.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

type RepeatedType = typeof TransactionType.CreateAlias | typeof TransactionType.Payment;

const mainnet = new InMemoryState({ schemeCharacter: "W", features: new Map() });
const limitBytes = 1_000_000;

/** Rows of a block that contains the transaction `times` times. */
function blockRows(height: number, type: RepeatedType, times = 1): RowChange[] {
  const overlay = new OverlayView(mainnet, { height, reward: undefined });
  const transaction = sample(type);
  const row = {
    ...{ height, id: new Uint8Array(32).fill(height) as Uint8Array as BlockId, header: new Uint8Array() },
    ...{ timestamp: 1n, generator: addresses.alice, sizeBytes: 0, transactionCount: times, totalFee: 0n },
    ...{ reward: undefined, rewardVote: -1n, rewardShares: [], vrf: undefined, wavesAmount: 0n },
    ...{ hitSource: new Uint8Array(), score: 0n, carryFee: 0n },
    stateHash: new Uint8Array(32) as Uint8Array as Digest,
    finalizedHeight: 1,
  };
  const included = {
    ...{ transaction, bytes: transaction.bytes, status: "succeeded" as const, spentComplexity: 0n },
    ...{ snapshot: {}, addresses: [addresses.alice] },
  };
  const options = { position: 0, nowMs: 0, usage: noUsage, storesSnapshots: false };
  return commitRows(row, Array(times).fill(included), overlay, options);
}

function append(store: StateStore, height: number, type: RepeatedType, times?: number): void {
  store.commit({ height, step: 0 }, blockRows(height, type, times));
}

describe.each([TransactionType.CreateAlias, TransactionType.Payment] as const)("of type %i", (type) => {
  const { id } = sample(type);
  let store: StateStore;
  let database: TestDatabase;
  let view: TableView;
  let height: number;
  let d1: ReturnType<typeof d1Double>;
  let publisher: ReturnType<typeof testPublisher>;

  beforeEach(() => {
    ({ store, database } = testStore());
    view = new TableView(store, mainnet.settings);
    d1 = d1Double();
    const genesis = genesisText(mainnet.settings);
    append(store, 2, type);
    append(store, 3, type);
    height = 3;
    const state = () => ({ height, transactions: 1 });
    publisher = testPublisher({ store, readModel: d1Sink(d1.d1), genesis, state });
  });

  async function ask<Value>(query: Query<Value>): Promise<Value> {
    await publisher.drain();
    const { settings } = mainnet;
    const latest = new LatestState(() => 0);
    const deps = { settings, bookmark: undefined, hasCopies: false, latest, publish: async () => {} };
    const { values } = await new ReadModel({ database: d1.d1, ...deps }).read(query);
    return values[0];
  }

  function rollBack(to: number): void {
    store.rollbackTo({ height: to, step: 0 });
    height = to;
  }

  test("the last one is found, and the one before after a rollback", () => {
    expect(view.findTransaction(id)).toMatchObject({ height: 3 });
    rollBack(2);
    expect(view.findTransaction(id)).toMatchObject({ height: 2 });
    rollBack(1);
    expect(view.findTransaction(id)).toBeUndefined();
  });

  test("pending ones are found before those in the tables", () => {
    const currentHeight = () => view.findTransaction(id)?.height;
    store.gather({ height: 4, step: 0 }, blockRows(4, type));
    expect(currentHeight()).toBe(4);
    store.flush();
    expect(currentHeight()).toBe(4);
  });

  test("every block has its own", async () => {
    expect([...view.transactionsAt(2)].map((found) => found.id)).toEqual([id]);
    expect([...view.transactionsAt(3)].map((found) => found.id)).toEqual([id]);
    for (const at of [2, 3]) expect(await ask(transactionsOfBlockQuery({ height: at }))).toHaveLength(1);
    expect(readModelDifferences(database.database, d1.sqlite)).toEqual([]);
  });

  test("a block that has it twice stores both", async () => {
    append(store, 4, type, 2);
    height = 4;
    expect([...view.transactionsAt(4)]).toHaveLength(2);
    expect(await ask(transactionsOfBlockQuery({ height: 4 }))).toHaveLength(2);
    expect(await ask(transactionQuery(id))).toMatchObject({ height: 4, position: 1 });
  });

  test("the interface returns the last one by its id, and the one before after a rollback", async () => {
    for (const at of [3, 2]) {
      expect(await ask(transactionQuery(id))).toMatchObject({ height: at });
      expect(await ask(locationsQuery([id, id]))).toMatchObject([{ height: at }, { height: at }]);
      const many = await ask(transactionsQuery([id, new Uint8Array(32), id], limitBytes));
      expect(many.map((found) => found?.height)).toEqual([at, undefined, at]);
      rollBack(at - 1);
    }
  });

  test("both are in the list of their account, and a list after the id continues after the last one", async () => {
    const page = { address: addresses.alice, limit: 10, after: undefined };
    const heights = async (after: typeof id | undefined) =>
      (await ask(transactionsOfAddressQuery({ ...page, after }, limitBytes))).map((found) => found.height);
    expect(await heights(undefined)).toEqual([3, 2]);
    expect(await heights(id)).toEqual([2]);
    rollBack(2);
    expect(await heights(undefined)).toEqual([2]);
  });

  test("while only the first is published the second counts as waiting", async () => {
    rollBack(2);
    await ask(transactionQuery(id));
    const unpublished = new UnpublishedTransactions(store, view);
    expect(unpublished.has(id)).toBe(false);
    append(store, 3, type);
    expect(unpublished.has(id)).toBe(true);
  });
});
