/** What the rules read through the read model is what they read in ChainState. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import type { Chain } from "../../../durable/chain/open-chain.ts";
import { readRecording } from "../../../scripts/tools/judge/recording.ts";
import { d1Double } from "../../../scripts/tools/sqlite/d1-double.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { IsolateMemory } from "../../../src/platform/isolate-memory.ts";
import type { AssetId } from "../../../src/protocol/transactions/asset.ts";
import type { LeaseId } from "../../../src/protocol/transactions/transaction.ts";
import { LatestState } from "../../../src/read-model/latest-state.ts";
import { ReadModel } from "../../../src/read-model/read-model.ts";
import { ReadModelUnavailable } from "../../../src/read-model/read-model-unavailable.ts";
import { PublishedState, QuestionTooLarge } from "../../../src/read-model/state/published-state.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { recordedChain } from "../../routes/recorded-chain.ts";

const { network } = readRecording(join(import.meta.dirname, "..", "..", "fixtures", "private-a"));
const settings = network.blockchain;

let chain: Chain;
let readModel: D1Database;
let batches = 0;
const nowMs = (): number => 0;
/** The read model, which counts what it is asked. */
const counted = {
  prepare: (sql: string) => readModel.prepare(sql),
  batch: (statements: D1PreparedStatement[]) => {
    batches++;
    return readModel.batch(statements);
  },
} as unknown as D1Database;

/** What is asked of a database, each time by a request of its own. */
function asking(database: D1Database, clock: () => number = nowMs) {
  const latest = new LatestState(clock);
  const published = new PublishedState({ settings, memory: new IsolateMemory(100_000_000), nowMs: clock });
  const modelOf = () =>
    new ReadModel({ database, hasCopies: false, settings, bookmark: undefined, latest, publish: async () => {} });
  const ask = async <T>(question: (view: StateView) => T, kind?: string): Promise<T> => {
    const newest = () =>
      latest.current(
        () => modelOf().read(),
        () => {},
      );
    return (await published.ask({ model: modelOf(), newest, kind }, question)).answer;
  };
  return { ask, latest };
}

beforeAll(async () => {
  ({ chain, readModel } = await recordedChain());
}, 60_000);

/** Both answers to a question. */
async function both<T>(ask: (view: StateView) => T): Promise<readonly [fromReadModel: T, fromTables: T]> {
  return [await asking(counted).ask(ask), ask(chain.view)];
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
        // Assets and leases have the id of the transaction that made them.
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
  expect(await asking(counted).ask(ask)).toBe(150);
  expect(batches).toBeLessThanOrEqual(3);
});

/** Reads one balance more in each attempt: whose it is follows from the one before. */
function askingOn(): (view: StateView) => void {
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
  await expect(asking(counted, slowly).ask(askingOn())).rejects.toThrow(QuestionTooLarge);
  expect(batches).toBeLessThan(10);
});

test("a question that never knows enough is given up", async () => {
  await expect(asking(counted).ask(askingOn())).rejects.toThrow("no answer after");
  expect(batches).toBeLessThan(1_000);
});

test("a question that reads too many bytes is given up", async () => {
  const name = "k".repeat(32_000);
  let attempt = 0;
  const ask = (view: StateView) => {
    attempt++;
    for (let index = 0; index < 500; index++)
      view.findAliasOwner({ chainId: settings.chainId, name: `${name} ${attempt} ${index}` });
  };
  await expect(asking(counted).ask(ask)).rejects.toThrow("bytes of rows");
  expect(attempt).toBeLessThan(10);
});

test("what the question throws comes through once all rows are there", async () => {
  const ask = (view: StateView) => {
    if (view.balance(senders()[0] as Address, null) >= 0n) throw new RangeError("asked in vain");
  };
  await expect(asking(counted).ask(ask)).rejects.toThrow("asked in vain");
});

test.each([
  ["no tables", ""],
  ["tables, but no chain", "CREATE TABLE chain (id, version, epoch, height)"],
])("a read model with %s is unavailable", async (_, sql) => {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(sql);
  await expect(asking(d1Double(sqlite).d1).ask((view) => view.height)).rejects.toThrow(ReadModelUnavailable);
});
