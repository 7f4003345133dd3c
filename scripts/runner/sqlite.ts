/** SQLite of this Node, which those before 22.13 have not. */
type Sqlite = typeof import("node:sqlite");

/** @returns undefined where there is none */
export function findSqlite(): Sqlite | undefined {
  // Node 20.16 on; the import itself would end the process where the module is missing.
  return process.getBuiltinModule?.("node:sqlite");
}
