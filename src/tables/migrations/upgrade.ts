/** What brings a database to the tables as they are declared now. */
import type { Database } from "../schema/schema-text.ts";
import { migrations, versionAfter } from "./all-migrations.ts";
import type { Migration } from "./migration.ts";

/** What a database says of itself. */
export interface FoundSchema {
  readonly version: number;
  /** The release that wrote to it last, undefined where none has said so. */
  readonly release: string | undefined;
}

/** A database that this release cannot open. The message is a sentence for the operator. */
export class SchemaRefused extends Error {
  override readonly name = "SchemaRefused";
}

const names = { object: "the state", readModel: "the read model" } as const satisfies Record<Database, string>;

/**
 * @param known every migration; other ones in tests
 * @returns those that the database has not gone through, in order
 * @throws SchemaRefused when a newer release wrote it
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

/** The version that a database says it has. @throws SchemaRefused when it says none */
export function versionOf(text: string, database: Database): number {
  const version = Number(text);
  if (!Number.isInteger(version) || version < 1)
    throw new SchemaRefused(`${names[database]} says that it has schema version ${text}, which is none.`);
  return version;
}
