/** Upgrade of a database to the declared tables. */
import type { Database } from "../schema/schema-text.ts";
import { migrations, versionAfter } from "./all-migrations.ts";
import type { Migration } from "./migration.ts";

/** Metadata of a database. */
export interface FoundSchema {
  readonly version: number;
  /** Last release that wrote to it, undefined if not stored. */
  readonly release: string | undefined;
}

/** A database that this release cannot open. The message is for the operator. */
export class SchemaRefused extends Error {
  override readonly name = "SchemaRefused";
}

const names = { object: "the state", readModel: "the read model" } as const satisfies Record<Database, string>;

/**
 * @param known all migrations; tests pass others
 * @returns migrations that the database has not had yet, in order
 * @throws SchemaRefused if a newer release wrote it
 */
export function migrationsAfter(
  database: Database,
  found: FoundSchema,
  known: readonly Migration[] = migrations,
): readonly Migration[] {
  const newest = versionAfter(known);
  if (found.version > newest)
    throw new SchemaRefused(
      `${names[database]} has schema version ${found.version}, written by release ${found.release ?? "unknown"}; this ` +
        `release reads versions up to ${newest}: start that release or a later one.`,
    );
  return known.filter(({ version }) => version > found.version);
}

/** Parses the stored version of a database. @throws SchemaRefused if it is invalid */
export function versionOf(text: string, database: Database): number {
  const version = Number(text);
  if (!Number.isInteger(version) || version < 1)
    throw new SchemaRefused(`${names[database]} says that it has schema version ${text}, which is none.`);
  return version;
}
