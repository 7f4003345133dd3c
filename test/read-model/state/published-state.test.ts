/** The rules read the same through the read model as in ChainState. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { equalBytes } from "../../../src/crypto/bytes.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { IsolateMemory } from "../../../src/platform/isolate-memory.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { LeaseId } from "../../../src/protocol/transactions/transaction.ts";
import { LatestState } from "../../../src/read-model/latest-state.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { ReadModelUnavailable } from "../../../src/read-model/read-model-unavailable.ts";
import { PublishedState, StateQueryTooLarge } from "../../../src/read-model/state/published-state.ts";
import type { WorkMeter } from "../../../src/ride/evaluator/work-meter.ts";
import type { NativeFunction } from "../../../src/ride/functions/function-definition.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { genesisText } from "../../../src/tables/chain.ts";
import { readRecording } from "../../../verification/replay/recording.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { putChain } from "../../support/builders/put-chain.ts";
import { recordedChain } from "../../support/fixtures/rest/recorded-chain.ts";

const { network } = readRecording(join(import.meta.dirname, "..", "..", "fixtures", "private-a"));
const settings = network.blockchain;

let chain: Chain;
let readModel: D1Database;
let batches = 0;
const nowMs = (): number => 0;
/** Read model with a counter of queries. */
const counted = {
  prepare: (sql: string) => readModel.prepare(sql),
  batch: (statements: D1PreparedStatement[]) => {
    batches++;
    return readModel.batch(statements);
  },
} as unknown as D1Database;

/** Queries of a database, each in a request of its own. */
function stateReader(database: D1Database, clock: () => number = nowMs, memoryBytes = 100_000_000) {
  const latest = new LatestState(clock);
  const published = new PublishedState({ settings, memory: new IsolateMemory(memoryBytes), nowMs: clock });
  const modelOf = () =>
    new ReadModel({ database, hasCopies: false, settings, bookmark: undefined, latest, publish: async () => {} });
  const ask = async <T>(question: (view: StateView) => T, kind?: string): Promise<T> => {
    const newest = () =>
      latest.current(
        () => modelOf().read(),
        () => {},
      );
    return (await published.query({ model: modelOf(), newest, kind }, question)).value;
  };
  return { ask, latest };
}

beforeAll(async () => {
  ({ chain, readModel } = await recordedChain());
});

/** Both results of a query. */
async function both<T>(ask: (view: StateView) => T): Promise<readonly [fromReadModel: T, fromTables: T]> {
  return [await stateReader(counted).ask(ask), ask(chain.view)];
}

const heights = [1, 2, 7, 60, 104, 105, 106];

function senders(): Address[] {
  const found = new Map<string, Address>();
  for (let height = 1; height <= chain.view.height; height++)
    for (const transaction of chain.stored.transactionsAt(height)) {
      const key = "sender" in transaction ? (transaction.sender as PublicKey | undefined) : undefined;
      if (key?.length !== 32) continue;
      const address = addressOfPublicKey(key, settings.chainId);
      found.set(address.join(), address);
    }
  return [...found.values()];
}

describe("the read model gives the rules the same", () => {
  test("accounts: balances, leases, scripts, history", async () => {
    const accounts = senders();
    expect(accounts.length).toBeGreaterThan(20);
    const [got, expected] = await both((view) =>
      accounts.map((address) => [
        view.balance(address, null),
        view.leaseBalance(address),
        view.findAccountScript(address),
        view.hasData(address),
        view.balanceHistory(address, 20, view.height),
        view.minimumEffectiveBalance(address, 5, view.height),
      ]),
    );
    expect(got).toEqual(expected);
    expect(got.some(([, , script]) => script !== undefined)).toBe(true);
  });

  test("blocks: headers, hit sources of all versions, rewards", async () => {
    const [got, expected] = await both((view) =>
      heights.map((height) => [
        view.findHeader(height),
        view.findHitSource(height),
        view.blockReward(height),
        view.rewardVote(height),
      ]),
    );
    expect(got).toEqual(expected);
  });

  test("transactions, assets, leases, balances of assets", async () => {
    const ids = Array.from({ length: chain.view.height }, (_, index) => [
      ...chain.stored.transactionsAt(index + 1),
    ]).flatMap((transactions) => transactions.map(({ id }) => id));
    const accounts = senders().slice(0, 5);
    const [got, expected] = await both((view) =>
      ids.map((id) => [
        view.findTransaction(id),
        view.findTransactionBody(id),
        // Ids of assets and leases are those of the transactions that created them.
        { ...view.findAsset(id as Uint8Array as AssetId), scriptHeight: 0, sponsorshipHeight: 0 },
        view.findLease(id as Uint8Array as LeaseId),
        accounts.map((address) => view.balance(address, id as Uint8Array as AssetId)).filter((balance) => balance > 0n),
      ]),
    );
    expect(got).toEqual(expected);
  });

  test("features and height", async () => {
    const [got, expected] = await both((view) => [
      view.height,
      ...Array.from({ length: 30 }, (_, id) => view.activationHeight(id)),
    ]);
    expect(got).toEqual(expected);
  });
});

test("many entries of one account take few batches, absent ones too", async () => {
  const address = senders()[0] as Address;
  batches = 0;
  const keys = Array.from({ length: 150 }, (_, index) => `no such key ${index}`);
  const ask = (view: StateView) =>
    keys.reduce((sum, key) => sum + (view.findData(address, key) === undefined ? 1 : 0), 0);
  expect(await stateReader(counted).ask(ask)).toBe(150);
  expect(batches).toBeLessThanOrEqual(3);
});

/** Reads one more balance in each attempt; the account depends on the one before. */
function chainedReads(): (view: StateView) => void {
  let attempts = 0;
  return (view) => {
    attempts++;
    for (let index = 0; index < attempts; index++) {
      const key = new Uint8Array(32).fill(index >> 8, 1).fill(index, 0, 1) as PublicKey;
      view.balance(addressOfPublicKey(key, settings.chainId), null);
    }
  };
}

test("a question that asks on and on is given up when its time is over", async () => {
  let time = 0;
  batches = 0;
  const slowly = () => {
    time += 3_000;
    return time;
  };
  await expect(stateReader(counted, slowly).ask(chainedReads())).rejects.toThrow(StateQueryTooLarge);
  expect(batches).toBeLessThan(10);
});

test("a question that never knows enough is given up", async () => {
  await expect(stateReader(counted).ask(chainedReads())).rejects.toThrow("no result after");
  expect(batches).toBeLessThan(1_000);
});

/** Runs expensive functions first, then reads balances one after the other, each selected by the one before. */
function dearThenChained(functions: number, reads: number) {
  let computed = 0;
  let rows = 0;
  const dear = { name: "dear" } as NativeFunction;
  const ask = (view: StateView) => {
    const meter = view.workMeter as WorkMeter;
    for (let index = 0; index < functions; index++)
      meter.evaluate(dear, 1_000, [BigInt(index)], () => {
        computed++;
        return true;
      });
    for (rows = 0; rows < reads; rows++) {
      const key = new Uint8Array(32).fill(rows, 0, 1) as PublicKey;
      // A missing row has no change: the query can only continue once it is known.
      if (view.balance(addressOfPublicKey(key, settings.chainId), null) > 0n) return rows;
    }
    return rows;
  };
  return { ask, computed: () => computed };
}

test("what is dear is computed once, however often the question is asked", async () => {
  const { ask, computed } = dearThenChained(43, 25);
  expect(await stateReader(counted).ask(ask)).toBe(25);
  expect(computed()).toBe(43);
});

test("what all attempts spend is bounded, and the rows that were fetched let the question come further the next time", async () => {
  const published = stateReader(counted);
  const accounts = senders().slice(0, 3);
  let spent = 0;
  /** Spends the maximum of a whole call before each unknown row. */
  const ask = (view: StateView) => {
    const meter = view.workMeter as WorkMeter;
    const before = meter.spentComplexity;
    try {
      meter.spend(51_000);
      return accounts.map((address) => view.balance(address, null));
    } finally {
      spent += meter.spentComplexity - before;
    }
  };
  await expect(published.ask(ask, "kind")).rejects.toThrow(StateQueryTooLarge);
  expect(spent).toBeLessThan(3 * 52_000);
  expect(await published.ask(ask, "kind").catch(() => published.ask(ask, "kind"))).toHaveLength(3);
});

test("a question that reads too many bytes is given up", async () => {
  const name = "k".repeat(32_000);
  let attempt = 0;
  const ask = (view: StateView) => {
    attempt++;
    for (let index = 0; index < 500; index++)
      view.findAliasOwner({ chainId: settings.chainId, name: `${name} ${attempt} ${index}` });
  };
  await expect(stateReader(counted).ask(ask)).rejects.toThrow("bytes of rows");
  expect(attempt).toBeLessThan(10);
});

test("what the question throws comes through once all rows are there", async () => {
  const ask = (view: StateView) => {
    if (view.balance(senders()[0] as Address, null) >= 0n) throw new RangeError("asked in vain");
  };
  await expect(stateReader(counted).ask(ask)).rejects.toThrow("asked in vain");
});

test.each([
  ["no tables", ""],
  ["tables, but no chain", "CREATE TABLE chain (id, version, epoch, height)"],
])("a read model with %s is unavailable", async (_, sql) => {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(sql);
  await expect(stateReader(d1Double(sqlite).d1).ask((view) => view.height)).rejects.toThrow(ReadModelUnavailable);
});

const someAlias = (name: string) => ({ chainId: settings.chainId, name });

/** A small read model whose clock moves only on command. */
function smallReadModel() {
  const { d1, sqlite } = d1Double();
  putChain(sqlite, { height: 5, genesis: genesisText(settings) });
  const clock = { nowMs: 1_000 };
  const batchSizes: number[] = [];
  /** Delays results for as long as the test wants. */
  let onTheWay: Promise<void> | undefined;
  const database = {
    prepare: (sql: string) => d1.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      batchSizes.push(statements.length);
      const answers = await d1.batch(statements);
      await onTheWay;
      return answers;
    },
  } as unknown as D1Database;
  const owners = senders();
  const setOwner = (name: string, owner: number) =>
    sqlite.prepare("INSERT OR REPLACE INTO alias (name, address) VALUES (?, ?)").run(name, owners[owner] as Address);
  return {
    ...stateReader(database, () => clock.nowMs),
    clock,
    /** Returns and resets the numbers of statements. */
    takeBatches: () => batchSizes.splice(0),
    holdUp: (until: Promise<void> | undefined) => {
      onTheWay = until;
    },
    /** Publishes a state in which the names belong to the owner. */
    publish: (version: string, names: readonly string[], owner: number) => {
      for (const name of names) setOwner(name, owner);
      sqlite.prepare("UPDATE chain SET version = ?, sequence = sequence + 1").run(version);
    },
    ownersOf:
      (...names: readonly string[]) =>
      (view: StateView) =>
        names.map((name) =>
          owners.findIndex((owner) => equalBytes(owner, view.findAliasOwner(someAlias(name)) ?? none)),
        ),
  };
}

const none = new Uint8Array();

describe("rows are kept for the state that they are of", () => {
  test("what is known of the newest state is not asked again", async () => {
    const { ask, publish, ownersOf, takeBatches } = smallReadModel();
    publish("first", ["one", "two"], 0);
    expect(await ask(ownersOf("one", "two"))).toEqual([0, 0]);
    takeBatches();
    expect(await ask(ownersOf("two", "absent", "one"))).toEqual([0, -1, 0]);
    expect(takeBatches()).toEqual([2]);
    expect(await ask(ownersOf("absent", "one"))).toEqual([-1, 0]);
    expect(takeBatches()).toEqual([]);
  });

  test("a new state is seen when the old one has not been looked at for some time, or after a write", async () => {
    const { ask, publish, ownersOf, takeBatches, clock, latest } = smallReadModel();
    publish("first", ["one"], 0);
    await ask(ownersOf("one"));
    publish("second", ["one"], 1);
    expect(await ask(ownersOf("one"))).toEqual([0]);
    clock.nowMs += 100;
    expect(await ask(ownersOf("one"))).toEqual([1]);
    publish("third", ["one"], 2);
    latest.outdate();
    expect(await ask(ownersOf("one"))).toEqual([2]);
    takeBatches();
    clock.nowMs += 100;
    expect(await ask(ownersOf("one"))).toEqual([2]);
    expect(takeBatches(), "the row of the chain alone").toEqual([1]);
  });

  test("of a new state the rows that questions of the kind have read come in one batch", async () => {
    const { ask, publish, ownersOf, takeBatches, latest } = smallReadModel();
    /** Reads a name that depends on the owner of another one. */
    const chained = (view: StateView) => {
      const [first] = ownersOf("one")(view);
      return first === undefined || first < 0 ? [] : ownersOf("two", "three")(view);
    };
    publish("first", ["one", "two", "three"], 0);
    expect(await ask(chained, "kind")).toEqual([0, 0]);
    expect(takeBatches(), "chain, then each row as it is missed").toEqual([1, 2, 3]);
    publish("second", ["one", "two", "three"], 1);
    latest.outdate();
    expect(await ask(chained, "kind")).toEqual([1, 1]);
    expect(takeBatches(), "chain, then all rows").toEqual([1, 4]);
  });

  test("an answer is of one state, though another one comes while its rows are fetched", async () => {
    const { ask, publish, ownersOf, takeBatches } = smallReadModel();
    publish("first", ["one", "two"], 0);
    await ask(ownersOf("one"));
    publish("second", ["one", "two"], 1);
    takeBatches();
    expect(await ask(ownersOf("one", "two"))).toEqual([1, 1]);
    expect(takeBatches(), "the row of the second state, then what is known of the first").toEqual([2, 2]);
  });

  test("rows of a newer state, which one question has fetched, are not taken for rows of the older by another", async () => {
    const { ask, publish, ownersOf, holdUp } = smallReadModel();
    publish("first", ["one", "two", "three"], 0);
    await ask(ownersOf("one"));
    let arrive = (): void => {};
    holdUp(
      new Promise((resolve) => {
        arrive = resolve;
      }),
    );
    const inTwoSteps = (view: StateView) => {
      const [one, two] = ownersOf("one", "two")(view);
      return two === -1 ? [] : [one, two, ...ownersOf("three")(view)];
    };
    const early = ask(inTwoSteps);
    // The database has answered with the first state, but the result has not arrived.
    await new Promise((resolve) => setTimeout(resolve));
    holdUp(undefined);
    publish("second", ["one", "two", "three"], 1);
    expect(await ask(ownersOf("one", "three"))).toEqual([1, 1]);
    arrive();
    expect(new Set(await early).size).toBe(1);
  });

  test("what fills too much of the memory is fetched again", async () => {
    const { d1, sqlite } = d1Double();
    putChain(sqlite, { height: 5, genesis: genesisText(settings) });
    const { ask } = stateReader(d1, nowMs, 10_000);
    const names = Array.from({ length: 50 }, (_, index) => `name ${index}`);
    const ask50 = (view: StateView) =>
      names.filter((name) => view.findAliasOwner(someAlias(name)) !== undefined).length;
    for (let times = 0; times < 2; times++) expect(await ask(ask50, "kind")).toBe(0);
  });
});
