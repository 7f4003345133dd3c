/** SQLite of this Node, which those before 22.13 have not. */
type Sqlite = typeof import("node:sqlite");

/** @returns undefined where there is none */
export function findSqlite(): Sqlite | undefined {
  // Some releases say at each start that it is experimental; where it is missing there is another way.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // Node 20.16 on; an import would end the process where the module is missing.
    return process.getBuiltinModule?.("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
