/** SQLite module of Node, missing before 22.13. */
type Sqlite = typeof import("node:sqlite");

/** @returns undefined if this Node has none */
export function findSqlite(): Sqlite | undefined {
  // Some releases warn at each start that the module is experimental; if it is missing there is a fallback.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    // Available from Node 20.16; an import would end the process if the module is missing.
    return process.getBuiltinModule?.("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
