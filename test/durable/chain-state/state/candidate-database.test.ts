import { describe, expect, test } from "vitest";
import { CandidateDatabase } from "../../../../durable/chain-state/state/candidate-database.ts";
import { StateStore } from "../../../../durable/chain-state/state/state-store.ts";
import type { SqlDatabase } from "../../../../durable/sql/sql-database.ts";
import { aliasTable } from "../../../../src/tables/aliases.ts";
import { dataEntryTable } from "../../../../src/tables/data-entries.ts";
import { added, removed, written } from "../../../../src/tables/schema/row-change.ts";
import { keyText } from "../../../../src/tables/schema/row-text.ts";
import { type NodeDatabase, nodeDatabase, stateDatabase } from "../../../../verification/sqlite/node-database.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";
import { RandomChain } from "../../../support/builders/random-chain.ts";

const address = new Uint8Array(26).fill(1) as never;
const aliasOf = (name: string, byte: number) => ({
  name,
  address: new Uint8Array(26).fill(byte) as never,
  takenOver: false,
});
const entryOf = (key: string, value: bigint) => ({ address, key, value: { type: "integer", value } as const });

function scene() {
  const database = stateDatabase();
  const chain = new StateStore(database);
  chain.commit({ height: 1, step: 0 }, [
    added(aliasTable, aliasOf("kept", 1)),
    added(aliasTable, aliasOf("changed", 1)),
  ]);
  chain.commit({ height: 2, step: 0 }, [
    added(aliasTable, aliasOf("gone", 1)),
    added(dataEntryTable, entryOf("key", 1n)),
  ]);
  const candidate = new CandidateDatabase(database);
  candidate.create();
  const open = () => new StateStore(candidate);
  return { database, chain, candidate, open };
}

const namesIn = (store: StateStore): unknown => store.query(aliasTable, "ORDER BY name").map(({ name }) => name);

describe("a candidate", () => {
  test("has the chain's rows except those that it has changed, and the chain does not see the changes", () => {
    const { chain, open } = scene();
    const candidate = open();
    candidate.rollbackTo({ height: 1, step: 0 });
    candidate.commit({ height: 2, step: 0 }, [
      written(aliasTable, aliasOf("changed", 2)),
      added(aliasTable, aliasOf("new", 2)),
      added(dataEntryTable, entryOf("key", 2n)),
    ]);
    for (const store of [candidate, open()]) {
      expect(namesIn(store)).toEqual(["changed", "kept", "new"]);
      expect(store.find(aliasTable, { name: "changed" })).toEqual(aliasOf("changed", 2));
      expect(store.find(dataEntryTable, { address, key: "key" })).toEqual(entryOf("key", 2n));
    }
    expect(namesIn(chain)).toEqual(["changed", "gone", "kept"]);
    expect(chain.overwrittenAt(2).map(({ table }) => table)).toEqual([aliasTable, dataEntryTable]);
    const again = open();
    again.rollbackTo({ height: 1, step: 0 });
    expect(namesIn(again)).toEqual(["changed", "kept"]);
    again.commit({ height: 2, step: 0 }, [removed(aliasTable, { name: "kept" })]);
    expect(namesIn(open())).toEqual(["changed"]);
  });

  test("replaces the chain: rows, undo records, outbox, and one value", () => {
    const { database, chain, candidate, open } = scene();
    const published = () => Number(database.database.prepare("SELECT MAX(seq) AS n FROM outbox").get()?.["n"]);
    const before = published();
    const store = open();
    store.rollbackTo({ height: 1, step: 0 });
    store.commit({ height: 2, step: 0 }, [added(aliasTable, aliasOf("new", 2))]);
    for (const name of ["moved", "own"]) store.putMeta(name, "1");
    chain.replaceRows(() => candidate.moveIn("moved"));
    candidate.drop();
    expect(candidate.isThere).toBe(false);
    expect(namesIn(chain)).toEqual(["changed", "kept", "new"]);
    expect([chain.findMeta("moved"), chain.findMeta("own")]).toEqual(["1", undefined]);
    chain.rollbackTo({ height: 1, step: 0 });
    expect(namesIn(chain)).toEqual(["changed", "kept"]);
    expect(chain.find(dataEntryTable, { address, key: "key" })).toBeUndefined();
    const entries = chain.rows("SELECT table_number, removes FROM outbox WHERE seq > ? ORDER BY seq", before);
    const alias = chain.tables.numberOf(aliasTable);
    expect(entries.filter(([number]) => number === alias).map(([, removes]) => removes)).toEqual([1, 0, 1]);
  });

  test("tells which keys' rows do not differ from the chain's", () => {
    const { candidate, open } = scene();
    const store = open();
    store.commit({ height: 3, step: 0 }, [
      written(aliasTable, aliasOf("changed", 2)),
      removed(aliasTable, { name: "gone" }),
      written(dataEntryTable, entryOf("key", 3n)),
    ]);
    const keys = ["kept", "changed", "gone", "nowhere"].map((name) => keyText(aliasTable, { name }));
    expect([...candidate.unchanged(aliasTable, keys)]).toEqual([keys[0], keys[3]]);
    const ofData = ["key", "other"].map((key) => keyText(dataEntryTable, { address, key }));
    expect([...candidate.unchanged(dataEntryTable, ofData)]).toEqual([ofData[1]]);
  });

  test("has no statement that would change the chain's tables", () => {
    const { candidate } = scene();
    for (const statement of [
      "DELETE FROM undo WHERE height < 1",
      "UPDATE alias SET taken_over = 1",
      "DROP TABLE alias",
    ])
      expect(() => candidate.exec(statement)).toThrow("a candidate has no such statement");
  });
});

/** Database that records its statements. */
function listening(database: NodeDatabase, statements: Set<string>): NodeDatabase {
  const exec: SqlDatabase["exec"] = (query, ...bindings) => {
    statements.add(query);
    return database.exec(query, ...bindings);
  };
  return { ...database, exec };
}

interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

const SCAN = /^SCAN ([a-z_]+)/;
/** Plan steps that read the chain's table as part of a candidate's. */
const CHAIN_PART = /^(LEFT-MOST SUBQUERY|LEFT)$/;

function scannedTables(steps: readonly PlanStep[], isCounted: (step: PlanStep) => boolean): readonly string[] {
  return steps.filter(isCounted).flatMap(({ detail }) => SCAN.exec(detail)?.slice(1, 2) ?? []);
}

/** Tables of the chain that a statement scans only when it runs on a candidate. */
function moreScanned({ database }: NodeDatabase, statement: string): readonly string[] {
  const planOf = (query: string) => database.prepare(`EXPLAIN QUERY PLAN ${query}`).all() as unknown as PlanStep[];
  const before = scannedTables(planOf(statement), () => true);
  let candidates = "";
  const exec: SqlDatabase["exec"] = (query) => {
    candidates = query;
    return { raw: () => [].values() };
  };
  new CandidateDatabase({ exec, transaction: (run) => run() }).exec(statement);
  const steps = planOf(candidates);
  const details = new Map(steps.map(({ id, detail }) => [id, detail]));
  const isOfChain = ({ parent }: PlanStep) => CHAIN_PART.test(details.get(parent) ?? "");
  return scannedTables(steps, isOfChain).filter((table) => !before.includes(table));
}

test("no statement of a chain scans a table only for a candidate", () => {
  const statements = new Set<string>();
  for (const variant of ["active", "committed"] as const) {
    const chain = new RandomChain(variant, 3, { database: testDatabase(listening(nodeDatabase(), statements)) });
    for (let round = 0; round < 4; round++) {
      chain.run({ kind: "transactions", count: 6 });
      chain.run({ kind: "microBlock" });
      chain.run({ kind: "keyBlock", generator: round % 4, dropped: round % 3 });
    }
    chain.node.chain.forks.revertTo(Math.max(2, chain.node.chain.stored.finalizedHeight()));
  }
  const { database, candidate } = scene();
  const ofState = [...statements].filter((query) => /^\s*(SELECT|INSERT)/.test(query) && !OTHER_TABLES.test(query));
  expect(ofState.length).toBeGreaterThan(50);
  for (const query of ofState) expect.soft(moreScanned(database, query), query).toEqual([]);
  candidate.drop();
});

/** Tables without counterpart in a candidate. */
const OTHER_TABLES = /\b(pool|publication|sent_batch|branch_block|sqlite_master|outbox|candidate_\w+)\b/;
