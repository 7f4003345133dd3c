/**
 * `npm run check:read-model -- DIR`: compares every published table of ChainState with the read model in a data
 * directory of `npm start`, and prints the differences. Best without a node running on it, because that node may be
 * about to publish. Writes nothing. Exit code 1 when something differs.
 */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { UsageError } from "../local/cli/usage-error.ts";
import { compareReadModel } from "./sqlite/compare-read-model.ts";
import { type DatabaseFiles, databaseFiles } from "./sqlite/database-files.ts";

const usage = "npm run check:read-model -- DIR";

try {
  process.exitCode = check(filesOf(folderOfFlags()));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function folderOfFlags(): string {
  try {
    const [folder, ...rest] = parseArgs({ allowPositionals: true, options: {} }).positionals;
    if (folder !== undefined && rest.length === 0) return folder;
  } catch {
    // The command takes no flags.
  }
  throw new UsageError(`one data directory is expected: ${usage}`);
}

function filesOf(folder: string): DatabaseFiles {
  try {
    return databaseFiles(path.join(folder, "storage"));
  } catch {
    throw new UsageError(`${folder} holds no databases of a node: ${usage}`);
  }
}

function check(files: DatabaseFiles): number {
  const state = new DatabaseSync(files.chainState, { readOnly: true });
  const readModel = new DatabaseSync(files.readModel, { readOnly: true });
  let isEqual = true;
  for (const { table, equal, differences } of compareReadModel(state, readModel)) {
    process.stdout.write(`${table}: ${equal} rows are equal\n`);
    for (const difference of differences) process.stdout.write(`  ${difference}\n`);
    isEqual &&= differences.length === 0;
  }
  const waiting = state.prepare("SELECT COUNT(*) AS count FROM outbox").get()?.["count"];
  process.stdout.write(`${waiting} entries of the outbox wait to be published\n`);
  const shown = readModel.prepare("SELECT version, is_whole, progress FROM chain").get();
  process.stdout.write(
    shown?.["is_whole"] === 1
      ? `the read model shows ${shown["version"]}\n`
      : `the read model shows no whole state: ${shown?.["progress"] ?? "nothing is published"}\n`,
  );
  state.close();
  readModel.close();
  return isEqual ? 0 : 1;
}
