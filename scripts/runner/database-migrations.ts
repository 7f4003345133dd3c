/**
 * Brings the read model's D1 database to the newest schema, as `wrangler d1 migrations apply` does on the edge: same
 * files, same table of what was applied.
 */

/** A file of the folder `migrations`, as its statements. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

const appliedTable = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

/** Applies what is missing, in the given order: a file's statements and its mark are one transaction. */
export async function applyMigrations(
  database: Pick<D1Database, "prepare" | "batch">,
  migrations: readonly Migration[],
): Promise<void> {
  await database.prepare(appliedTable).run();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  const applied = new Set(results.map((row) => row.name));
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue;
    const mark = database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
    await database.batch([...statements.map((statement) => database.prepare(statement)), mark]);
  }
}

/**
 * Statements of an SQL text, without comments. Knows quotes; does not know triggers, whose bodies hold semicolons.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let statement = "";
  // A quoted text, a comment to the end of the line, a comment in the line, a separator, or any other run.
  for (const [piece] of sql.matchAll(/'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"`;/-]+|./g)) {
    if (piece === ";") {
      statements.push(statement.trim());
      statement = "";
    } else if (!piece.startsWith("--") && !piece.startsWith("/*")) {
      statement += piece;
    }
  }
  statements.push(statement.trim());
  return statements.filter((text) => text !== "");
}
