/** Databases of ChainState and the read model on disk, for tests that compare them. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readModelDifferences as differencesOf } from "../../scripts/tools/sqlite/compare-read-model.ts";
import { databaseFiles } from "../../scripts/tools/sqlite/database-files.ts";

/** Differences of the two, a line each; empty when the read model equals ChainState's published rows. */
export function readModelDifferences(dataDirectory: string): string[] {
  const files = databaseFiles(path.join(dataDirectory, "storage"));
  const state = open(files.chainState);
  const readModel = open(files.readModel);
  const differences = differencesBetween(state, readModel);
  state.close();
  readModel.close();
  return differences;
}

/** Same as `readModelDifferences`, for opened databases. */
export function differencesBetween(state: DatabaseSync, readModel: DatabaseSync): string[] {
  const differences = differencesOf(state, readModel);
  const waiting = rows(state, "SELECT COUNT(*) FROM outbox");
  if (!waiting.has("0")) differences.push(`outbox: ${[...waiting].join()} entries wait`);
  return differences;
}

/** Broken invariants of ChainState's own tables, a line each; none may break in any crash. */
export function brokenInvariants(dataDirectory: string): string[] {
  const state = open(databaseFiles(path.join(dataDirectory, "storage")).chainState);
  const broken: string[] = [];
  const expect = (name: string, query: string, value: string): void => {
    const found = [...rows(state, query)].join();
    if (found !== value) broken.push(`${name}: ${found}, not ${value}`);
  };
  expect("gaps between heights", "SELECT MAX(height) - COUNT(*) FROM block", "0");
  expect(
    "blocks whose transactions are not all there",
    "SELECT COUNT(*) FROM block WHERE transaction_count != (SELECT COUNT(*) FROM tx WHERE tx.height = block.height)",
    "0",
  );
  expect(
    "accounts whose last history row is another balance",
    `SELECT COUNT(*) FROM account AS a WHERE balance != (
       SELECT balance FROM balance_history AS h WHERE h.address = a.address ORDER BY height DESC LIMIT 1)`,
    "0",
  );
  expect(
    "balances that do not sum to the amount of WAVES less what waits for the next generator",
    `SELECT (SELECT SUM(balance) FROM account) + carry_fee - waves_amount FROM block ORDER BY height DESC LIMIT 1`,
    "0",
  );
  expect(
    "blocks without an undo record",
    "SELECT COUNT(*) FROM block WHERE height NOT IN (SELECT height FROM undo)",
    "0",
  );
  state.close();
  return broken;
}

function open(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true });
}

function rows(database: DatabaseSync, query: string): Set<string> {
  const statement = database.prepare(query);
  statement.setReadBigInts(true);
  const text = (cell: unknown): string =>
    cell instanceof Uint8Array ? Buffer.from(cell).toString("hex") : String(cell);
  return new Set(statement.all().map((row) => Object.values(row).map(text).join("|")));
}
