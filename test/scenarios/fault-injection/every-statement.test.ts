/**
 * After a failure of any statement the node is as it was before or as it would have been after, and goes on.
 *
 * All statements take minutes. Here one of every `stride` fails, from one that the seed picks: `FAULTS_STRIDE=1` lets
 * every one fail, `FAULTS_SEED` those of an earlier run.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import type { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { type FailingDatabase, type Failure, failingDatabase } from "../../../verification/sqlite/failing-database.ts";
import { nodeDatabase } from "../../../verification/sqlite/node-database.ts";
import { type Act, acts } from "../../support/builders/fault-injection/acts.ts";
import {
  breachesOf,
  breachesOnwards,
  logLinesOf,
  transactionsOf,
} from "../../support/builders/fault-injection/faulted-node.ts";
import { nodeOf, type PreparedChain, prepareChain } from "../../support/builders/fault-injection/prepared-chain.ts";

const stride = Number(process.env["FAULTS_STRIDE"] ?? 25);
const seed = process.env["FAULTS_SEED"] ?? String(Date.now());
/** For all statements of an act, on a busy machine. */
const timeoutMs = 600_000;

const tables = [...stateTables.map(({ name }) => name), "undo", "branch_block", "pool", "meta"];
const folder = mkdtempSync(path.join(os.tmpdir(), "faults-"));
const preparedFile = path.join(folder, "prepared.sqlite");
const file = path.join(folder, "copy.sqlite");
let prepared: PreparedChain;

beforeAll(() => {
  // A publication that fails is logged, and tried again.
  vi.spyOn(console, "error").mockImplementation(() => {});
  prepared = prepareChain();
  prepared.node.database.database.exec(`VACUUM INTO '${preparedFile}'`);
}, timeoutMs);
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

interface Opened {
  readonly node: SimulatedNode;
  readonly database: FailingDatabase;
  readonly readModel: DatabaseSync;
}

/** Runs a check of a node on a copy of the prepared chain. */
async function onCopy<T>(check: (opened: Opened) => Promise<T>): Promise<T> {
  copyFileSync(preparedFile, file);
  const database = failingDatabase(nodeDatabase(file));
  // The file need not survive this process.
  database.database.exec("PRAGMA synchronous = OFF");
  const { d1, sqlite } = d1Double();
  const node = nodeOf("own", { database, startMs: prepared.latestMs, readModel: d1Sink(d1) });
  try {
    return await check({ node, database, readModel: sqlite });
  } finally {
    database.database.close();
  }
}

/** Number of statements of an act that can fail, and the tables before and after it. */
function course(act: Act, kind: Failure["kind"]): Promise<{ readonly count: number; readonly states: string[] }> {
  return onCopy(async ({ node, database }) => {
    logLinesOf(node);
    const before = database.dump(tables);
    database.fail({ kind, after: Number.POSITIVE_INFINITY });
    await act.run(node, prepared);
    return { count: database.mend(), states: [before, database.dump(tables)] };
  });
}

function breachesAfter(act: Act, failure: Failure, states: readonly string[]): Promise<string[]> {
  return onCopy(async ({ node, database, readModel }) => {
    // Fills all caches.
    logLinesOf(node);
    const transactions = transactionsOf(node);
    database.fail(failure);
    let thrown = "nothing was thrown";
    try {
      await act.run(node, prepared);
    } catch (error) {
      thrown = String(error);
    }
    database.mend();
    const isBetween = act.isOneChange && !states.includes(database.dump(tables));
    const breaches = [
      ...(isBetween ? ["the tables are between before and after"] : []),
      ...breachesOf(node, transactions),
      ...(await breachesOnwards(node, { act, prepared, readModel })),
    ];
    return breaches.map((breach) => `${failure.kind} after ${failure.after} (${thrown}): ${breach}`);
  });
}

describe(`one of ${stride} statements fails, by the seed ${seed}`, () => {
  describe.each(acts)("$title", (act) => {
    test.each(["once", "full"] as const)(
      "a database that fails: %s",
      async (kind) => {
        const { count, states } = await course(act, kind);
        const random = new SeededRandom(`${seed}/${act.title}/${kind}`);
        const breaches: string[] = [];
        for (let after = random.below(Math.min(stride, count)); after < count; after += stride)
          breaches.push(...(await breachesAfter(act, { kind, after }, states)));
        expect(breaches).toEqual([]);
      },
      timeoutMs,
    );
  });
});
