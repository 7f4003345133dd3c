/** A database that fails when it is told to: for once, as by a fault of the runtime that passes, or because it is full. */
import type { NodeDatabase } from "./node-database.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";

export interface Failure {
  /**
   * `once`: one statement, or the end of a transaction. `full`: from then on, whatever adds; all else still works. `dead`:
   * from then on everything, as for a process that was killed.
   */
  readonly kind: "once" | "full" | "dead";
  /** How many statements of the kind that can fail succeed before. */
  readonly after: number;
}

export interface FailingDatabase extends TestDatabase {
  /** Counts from here on, and fails when it is time. */
  fail(failure: Failure): void;
  /** Fails no more. @returns how many statements there were that could fail, since `fail` */
  mend(): number;
}

const adds = /^\s*(INSERT|UPDATE|CREATE|ALTER)/i;

export function failingDatabase(sqlite: NodeDatabase): FailingDatabase {
  const database = testDatabase(sqlite);
  let failure: Failure | undefined;
  let count = 0;
  const reach = (what: string): void => {
    if (failure === undefined || (failure.kind === "full" && !adds.test(what))) return;
    const number = count++;
    if (failure.kind === "once" ? number === failure.after : number >= failure.after)
      throw new Error(`the database failed at ${number}: ${what.slice(0, 60)}`);
  };
  return {
    ...database,
    exec(query, ...bindings) {
      reach(query);
      return database.exec(query, ...bindings);
    },
    transaction: (run) =>
      database.transaction(() => {
        const result = run();
        reach("the end of a transaction");
        return result;
      }),
    fail(next) {
      failure = next;
      count = 0;
    },
    mend() {
      failure = undefined;
      return count;
    },
  };
}
