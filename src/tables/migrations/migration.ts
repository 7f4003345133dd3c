import type { StoredValue } from "../schema/cell.ts";

/** A statement of a portion, with what is bound to its parameters. */
export interface PortionStatement {
  readonly sql: string;
  readonly bindings: readonly StoredValue[];
}

/** Work on tables of any size: it is done a portion at a time, and what is done stays done when the object goes. */
export interface Portions {
  /** Asks what the next portion is to do, in any form; no rows: nothing is left. */
  readonly next: string;
  /** Does it, so that `next` asks for what comes behind. @param rows what `next` gave */
  readonly carryOut: (rows: readonly (readonly StoredValue[])[]) => readonly PortionStatement[];
}

/** A change of the stored tables, with the statements that carry it out on databases of the version before. */
export interface Migration {
  /** Version of the schema that it leads to. */
  readonly version: number;
  readonly title: string;
  /**
   * For ChainState's own database. Frozen: databases of users went through exactly these. A test prints what is missing
   * when the declared tables are ahead of the migrations.
   */
  readonly object: readonly (string | Portions)[];
  /** For the read model, in one batch: what takes long there is left to the publisher, which can write all of it anew. */
  readonly readModel: readonly string[];
}
