import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_SNAPSHOTS } from "../../../../durable/chain-state/dev/snapshots.ts";
import { copiedTables } from "../../../../durable/chain-state/dev/state-copies.ts";
import { UnpublishedTransactions } from "../../../../durable/chain-state/publish/unpublished-transactions.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { DumpPosition, LoadResult } from "../../../../src/env.ts";
import { LAST_CHOSEN_TIME_MS } from "../../../../src/network/dev-settings.ts";
import { SCHEMA_VERSION } from "../../../../src/tables/migrations/all-migrations.ts";
import type { JsonCell } from "../../../../src/tables/schema/cell.ts";
import { failingDatabase } from "../../../../verification/sqlite/failing-database.ts";
import { nodeDatabase } from "../../../../verification/sqlite/node-database.ts";
import { DevChainRun } from "../../../support/builders/dev-chain-run.ts";

let run: DevChainRun;

beforeEach(() => {
  run = new DevChainRun("active", 2);
});

function takeSnapshot(name?: string): string {
  const taken = run.state.snapshot(name);
  if (taken.kind !== "done") throw new Error(taken.reason);
  return taken.name;
}

const names = () => run.state.snapshots().map(({ name }) => name);

describe("names of snapshots", () => {
  test("are numbers that are never repeated, and skip names that were given by hand", async () => {
    expect([takeSnapshot(), takeSnapshot("4"), takeSnapshot(), takeSnapshot()]).toEqual(["1", "4", "3", "5"]);
    await run.revert("1");
    expect(names()).toEqual(["1"]);
    expect(takeSnapshot()).toBe("6");
  });

  test("a snapshot replaces another one of its name", async () => {
    takeSnapshot("a");
    run.grow();
    takeSnapshot("b");
    run.grow();
    const content = run.content();
    takeSnapshot("a");
    expect(names()).toEqual(["b", "a"]);
    run.grow();
    await run.revert("a");
    run.expectContent(content, "after the revert");
  });

  test("some are refused, and so is one too many", () => {
    const refused = (name: string) => run.state.snapshot(name);
    expect(refused("start")).toMatchObject({ kind: "refused", reason: expect.stringContaining("reset") });
    for (const name of ["", "x".repeat(201)])
      expect(refused(name)).toMatchObject({ kind: "refused", reason: expect.stringContaining("200 characters") });
    expect(refused("a\ud800")).toMatchObject({ kind: "refused", reason: expect.stringContaining("Unicode") });
    for (let count = 0; count < MAX_SNAPSHOTS; count++) takeSnapshot();
    expect(run.state.snapshot(undefined)).toMatchObject({ kind: "refused", reason: expect.stringContaining("100") });
    expect(takeSnapshot("7")).toBe("7");
    expect(run.state.snapshots()).toHaveLength(MAX_SNAPSHOTS);
  });

  test("there is no revert to an unknown one", async () => {
    expect(await run.state.revert("nowhere")).toEqual({ kind: "refused", reason: 'there is no snapshot "nowhere"' });
  });
});

describe("the start", () => {
  test("is the state that a reset restores, any number of times", async () => {
    const content = run.content();
    for (let round = 0; round < 2; round++) {
      run.grow();
      takeSnapshot();
      await run.state.reset();
      run.expectContent(content, "after the reset");
      expect(names()).toEqual([]);
    }
  });

  test("is that of the first process, also in later ones", async () => {
    const content = run.content();
    run.grow();
    run.restart();
    await run.state.reset();
    run.expectContent(content, "after the reset");
  });

  test("is the first block, unless the owner has taken snapshots before", async () => {
    run.grow();
    const content = run.content();
    run.state.begin();
    run.grow();
    await run.state.reset();
    run.expectContent(content, "after the reset");
    run.grow();
    takeSnapshot();
    run.state.begin();
    await run.state.reset();
    run.expectContent(content, "after another reset");
  });
});

test("snapshots of tables that another release had are deleted", () => {
  takeSnapshot();
  const { database } = run.chain.node.database;
  database.exec("ALTER TABLE dev_copy_alias ADD COLUMN once TEXT");
  run.restart();
  expect(names()).toEqual([]);
  expect(takeSnapshot()).toBe("1");
});

test("memory of wallet and pool is restored as well", async () => {
  const { wallet, pool } = run.chain.node;
  run.chain.run({ kind: "transactions", count: 5 });
  const accounts = wallet.accounts().map(({ address }) => encodeBase58(address));
  const { size, sizeBytes } = pool;
  expect(size).toBeGreaterThan(0);
  takeSnapshot("a");
  wallet.create();
  const [first] = wallet.accounts();
  if (first !== undefined) wallet.delete(first.address);
  run.grow();
  run.chain.run({ kind: "transactions", count: 5 });
  await run.revert("a");
  expect(wallet.accounts().map(({ address }) => encodeBase58(address))).toEqual(accounts);
  for (let round = 0; round < 100 && !pool.isRead; round++)
    pool.cleanUp(run.chain.node.chain.view, run.chain.node.nowMs);
  expect(pool.isRead).toBe(true);
  expect([pool.size, pool.sizeBytes]).toEqual([size, sizeBytes]);
});

describe("a revert while the read model is away", () => {
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const unpublished = () => {
    const { node, chain } = run.chain.node;
    return [...new UnpublishedTransactions(node.store, chain.view).ids()].map((id) => encodeBase58(id));
  };
  /** Ids of included transactions in chain order. @param known ids to leave out */
  const included = (known: readonly string[] = []) => {
    const rows = run.chain.node.database.database.prepare("SELECT id FROM tx ORDER BY height, position").all();
    return rows.map(({ id }) => encodeBase58(id as Uint8Array)).filter((id) => !known.includes(id));
  };

  test("transactions that the snapshot has and readers never saw are found as unconfirmed, and no others", async () => {
    run.grow();
    await run.expectPublished();
    const seen = included();
    run.remainingBatches = 0;
    run.grow();
    takeSnapshot("a");
    const unseen = included(seen);
    expect(unseen.length).toBeGreaterThan(0);
    run.grow();
    await run.revert("a");
    expect(unpublished()).toEqual(unseen);
    run.grow();
    expect(unpublished()).toEqual(included(seen));
    run.remainingBatches = Number.POSITIVE_INFINITY;
    await run.expectPublished();
    expect(unpublished()).toEqual([]);
  });

  test("transactions of a restored state do not count as published", async () => {
    run.grow();
    takeSnapshot("a");
    const common = included();
    run.grow();
    run.grow();
    const ofState = included(common);
    expect(ofState.length).toBeGreaterThan(0);
    const dump = await run.dump();
    await run.revert("a");
    for (let round = 0; round < 3; round++) run.grow();
    await run.expectPublished();
    run.remainingBatches = 0;
    expect(await run.load(dump)).toMatchObject({ kind: "done", load: undefined });
    expect(included(common)).toEqual(ofState);
    expect(unpublished()).toEqual(expect.arrayContaining(ofState));
    run.remainingBatches = Number.POSITIVE_INFINITY;
    await run.expectPublished();
    expect(unpublished()).toEqual([]);
  });

  test("batch by batch every transaction is found: as published, or as unconfirmed", async () => {
    run.grow();
    takeSnapshot("a");
    await run.expectPublished();
    run.remainingBatches = 0;
    for (let round = 0; round < 12; round++) {
      run.grow();
      run.grow();
      await run.revert("a");
    }
    run.grow();
    let batches = 0;
    for (let isPublished = false; !isPublished && batches < 100; batches++) {
      run.remainingBatches = 1;
      isPublished = await run.chain.node.node.drain().then(
        () => true,
        () => false,
      );
      const isWhole = run.readModel.prepare("SELECT is_whole FROM chain").get()?.["is_whole"] === 1;
      const rows = isWhole ? run.readModel.prepare("SELECT id FROM tx").all() : [];
      const shown = rows.map(({ id }) => encodeBase58(id as Uint8Array));
      if (isWhole) expect(unpublished()).toEqual(expect.arrayContaining(included(shown)));
    }
    expect(batches).toBeGreaterThan(2);
    run.remainingBatches = Number.POSITIVE_INFINITY;
    await run.expectPublished();
  });

  test("several of them are published as the last one is", async () => {
    await run.expectPublished();
    run.remainingBatches = 0;
    for (let round = 0; round < 3; round++) {
      run.grow();
      takeSnapshot();
      run.grow();
      await run.revert(names().at(round % 2) as string);
    }
    run.grow();
    run.remainingBatches = Number.POSITIVE_INFINITY;
    await run.expectPublished();
  });
});

describe("a database that fails", () => {
  test("a revert happens whole or not at all, and memory follows the tables", async () => {
    const database = failingDatabase(nodeDatabase());
    run = new DevChainRun("active", 2, { database });
    vi.spyOn(console, "error").mockImplementation(() => {});
    run.grow();
    const then = run.content();
    takeSnapshot("a");
    run.grow();
    run.grow();
    const now = run.content();
    let failures = 0;
    // Each attempt fails later than the one before, until one fails after the change, or not at all.
    for (let after = 0; run.content().tables === now.tables; after += 7) {
      database.fail({ kind: "once", after });
      const thrown = await run.state.revert("a").catch((error: unknown) => String(error));
      database.mend();
      if (run.content().tables === then.tables) break;
      failures += 1;
      run.expectContent(now, `after ${thrown}`);
      run.expectSound();
    }
    expect(failures).toBeGreaterThan(5);
    run.expectContent(then, "after the revert");
    run.expectSound();
    await run.expectPublished();
    vi.restoreAllMocks();
  });
});

describe("a dump", () => {
  test("is of the state at the request of its first part", async () => {
    run.grow();
    const content = run.content();
    const lines = await run.dump();
    expect(JSON.parse(lines[0] as string)).toMatchObject({ version: 1, schema: SCHEMA_VERSION });
    const other = new DevChainRun("active", 2);
    const grown = await run.dump(() => run.grow());
    expect(grown.slice(0, 2)).toEqual(lines.slice(0, 2));
    expect(await other.load(grown)).toMatchObject({ kind: "done", load: undefined });
    other.expectContent(content, "as it was");
    expect(run.chain.node.database.database.prepare("SELECT COUNT(*) AS n FROM dev_snapshot").get()).toEqual({ n: 1 });
  });

  test("comes in parts of half a megabyte, and a longer row in one of its own", async () => {
    const { store } = run.chain.node.node;
    for (let count = 10; count < 50; count++) store.putMeta(`large${count}`, "x".repeat(200_000));
    store.putMeta("largest", "x".repeat(600_000));
    const content = run.content();
    const lengths: number[] = [];
    const lines: string[] = [];
    for (let position: DumpPosition | undefined, isLast = false; !isLast; isLast = position === undefined) {
      const part = run.state.dump(position);
      if (part.kind === "refused") throw new Error(part.reason);
      lengths.push(part.lines.length);
      lines.push(...part.lines.split("\n").slice(0, -1));
      position = part.next;
    }
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(8_600_000);
    expect(Math.max(...lengths)).toBeLessThan(1_200_000);
    const other = new DevChainRun("active", 2);
    expect(await other.load(lines)).toMatchObject({ kind: "done", load: undefined });
    other.expectContent(content, "as it was");
  });

  test("is given up for later ones, and its memory is freed", async () => {
    const position = { copy: -1, table: 3, rows: 0 };
    expect(run.state.dump(position)).toMatchObject({ kind: "refused" });
    const loads: LoadResult[] = [];
    for (let count = 0; count < 5; count++)
      loads.push(await run.state.load({ load: undefined, lines: [], isLast: false }));
    expect(loads).toMatchObject([-1, -2, -3, -4, -5].map((load) => ({ kind: "done", load })));
    const refused = { kind: "refused", reason: expect.stringContaining("dropped for newer") };
    expect(run.state.dump(position)).toMatchObject(refused);
    expect(await run.state.load({ load: -1, lines: [], isLast: false })).toMatchObject(refused);
    expect(run.state.dump({ ...position, copy: 0 })).toMatchObject(refused);
    await run.dump();
    expect(await run.state.load({ load: -2, lines: [], isLast: false })).toMatchObject(refused);
    expect(await run.state.load({ load: -3, lines: [], isLast: false })).toMatchObject({ kind: "done" });
  });

  describe("is refused, and the chain stays as it is", () => {
    let lines: readonly string[];
    beforeEach(async () => {
      run.grow();
      lines = await run.dump();
      run.grow();
    });

    const changed = (at: number, line: string) => lines.map((own, index) => (index === at ? line : own));
    const head = (with_: object) => changed(0, JSON.stringify({ ...JSON.parse(lines[0] as string), ...with_ }));
    const rows = () => lines.findIndex((line) => line.startsWith('{"table":"block"'));
    /** Dump with changed block rows. Each starts with its cells, height, id, header and timestamp. */
    const blocks = (change: (rows: JsonCell[][]) => JsonCell[][]) => {
      const { table, rows: found } = JSON.parse(lines[rows()] as string) as { table: string; rows: JsonCell[][] };
      const newRows = change(found);
      const { end } = JSON.parse(lines.at(-1) as string) as { end: { rows: number } };
      return changed(rows(), JSON.stringify({ table, rows: newRows })).with(
        -1,
        JSON.stringify({ end: { rows: end.rows - found.length + newRows.length } }),
      );
    };
    const dated = (time: string) => () =>
      blocks((found) => found.map((row, at) => (at === found.length - 1 ? row.with(3, time) : row)));

    test.each([
      ["of another chain", () => head({ genesis: "abc" }), "another chain: its genesis is abc"],
      ["of another release", () => head({ schema: SCHEMA_VERSION + 1 }), "another release"],
      ["of another form", () => head({ version: 2 }), "another release"],
      ["that is something else", () => ["{}"], "no dump of a dev chain"],
      ["that is no JSON", () => ["nothing"], "no dump of a dev chain"],
      ["that is empty", () => [], "is incomplete"],
      ["that breaks off", () => lines.slice(0, -1), "is incomplete"],
      ["that lacks a line", () => lines.toSpliced(rows(), 1), "as its end says"],
      ["that goes on", () => [...lines, "{}"], "continues after its end"],
      ["with a table that there is not", () => changed(1, '{"table":"outbox","rows":[]}'), "a line that is not part"],
      ["with a line without rows", () => changed(1, '{"table":"block","rows":[]}'), "a line that is not part"],
      ["with a line of nothing", () => changed(1, '{"rows":1}'), "a line that is not part"],
      ["with a row too short", () => changed(rows(), '{"table":"block","rows":[[1]]}'), "holds no state"],
      ["with a row twice", () => lines.toSpliced(rows(), 0, lines[rows()] as string), "holds no state"],
      ["without the first block", () => blocks(([, ...others]) => others), "it lacks some of the blocks from 1 to 2"],
      ["with another first block", () => blocks(([, second = []]) => [second.with(0, 1), second]), "holds no state"],
      [
        "with a hole",
        () => blocks(([first = [], second = []]) => [first, second.with(0, 3)]),
        "it lacks some of the blocks from 1 to 3",
      ],
      ["of a time too late", dated(String(LAST_CHOSEN_TIME_MS + 1)), `can be advanced to ${LAST_CHOSEN_TIME_MS}`],
      ["of a time that no clock shows", dated("9223372036854775807"), `can be advanced to ${LAST_CHOSEN_TIME_MS}`],
      ["without a block", () => [lines[0] as string, '{"end":{"rows":0}}'], "no block"],
    ])("one %s", async (_, file, reason) => {
      const content = run.content();
      expect(await run.load(file())).toMatchObject({ kind: "refused", reason: expect.stringContaining(reason) });
      run.expectContent(content, "after the load");
      run.expectSound();
      expect(run.chain.node.database.database.prepare("SELECT COUNT(*) AS n FROM dev_snapshot").get()).toEqual({
        n: 1,
      });
      for (const { name } of copiedTables) {
        const remaining = run.chain.node.database.database.prepare(
          `SELECT COUNT(*) AS n FROM ${name} WHERE copy_number < 0`,
        );
        expect(remaining.get(), name).toEqual({ n: 0 });
      }
    });
  });
});
