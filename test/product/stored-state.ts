/** ChainState's and the read model's databases as they lie on disk, for tests that compare them. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readModelDifferences as differencesOf } from "../../scripts/tools/sqlite/compare-read-model.ts";
import { databaseFiles } from "../../scripts/tools/sqlite/database-files.ts";

/** Where the two differ, a line each; nothing when the read model shows exactly ChainState's published rows. */
export function readModelDifferences(dataDirectory: string): string[] {
  const files = databaseFiles(path.join(dataDirectory, "storage"));
  const state = open(files.chainState);
  const readModel = open(files.readModel);
  const differences = differencesBetween(state, readModel);
  state.close();
  readModel.close();
  return differences;
}

/** As `readModelDifferences`, of opened databases. */
export function differencesBetween(state: DatabaseSync, readModel: DatabaseSync): string[] {
  const differences = differencesOf(state, readModel);
  const waiting = rows(state, "SELECT COUNT(*) FROM outbox");
  if (!waiting.has("0")) differences.push(`outbox: ${[...waiting].join()} entries wait`);
  return differences;
}

/** What must hold of ChainState's own tables after any crash, a line for each breach. */
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
