import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Migration, splitStatements } from "./database-migrations.ts";

/** The schema changes of a folder, in the order of their file names. */
export function readMigrationFiles(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => {
    return { name, statements: splitStatements(readFileSync(path.join(folder, name), "utf8")) };
  });
}
