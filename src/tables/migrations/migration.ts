import type { StoredValue } from "../schema/cell.ts";

/** A statement of a batch, and its bindings. */
export interface BatchStatement {
  readonly sql: string;
  readonly bindings: readonly StoredValue[];
}

/** Change of tables of any size in batches: finished batches are permanent even if the object stops. */
export interface BatchedChange {
  /** Query for the work of the next batch, in any form; no rows: everything is done. */
  readonly next: string;
  /** Statements of the batch, after which `next` returns the work that follows. @param rows result of `next` */
  readonly statementsFor: (rows: readonly (readonly StoredValue[])[]) => readonly BatchStatement[];
}

/** A change of the stored tables, with the statements that convert databases of the version before. */
export interface Migration {
  /** Version of the schema after the migration. */
  readonly version: number;
  readonly title: string;
  /**
   * Statements for ChainState's database. Frozen: databases of users went through exactly these. If the declared tables
   * are ahead of the migrations, a test prints the missing statements.
   */
  readonly object: readonly (string | BatchedChange)[];
  /**
   * Statements for the read model, in one batch: long changes are left to the publisher, which can rewrite all of it.
   */
  readonly readModel: readonly string[];
}
