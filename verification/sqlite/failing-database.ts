/** A database that fails on demand: once, as after a transient error of the runtime, or because it is full. */
import type { NodeDatabase } from "./node-database.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";

export interface Failure {
  /**
   * `once`: one statement, or the end of a transaction. `full`: from then on every statement that adds data. `dead`:
   * from then on all statements, as for a killed process.
   */
  readonly kind: "once" | "full" | "dead";
  /** Number of statements that can fail and still succeed before. */
  readonly after: number;
}

export interface FailingDatabase extends TestDatabase {
  /** Starts counting, and fails after the given number. */
  fail(failure: Failure): void;
  /** Stops failing. @returns number of statements since `fail` that could have failed */
  mend(): number;
}

const adds = /^\s*(INSERT|UPDATE|CREATE|ALTER)/i;

export function failingDatabase(sqlite: NodeDatabase): FailingDatabase {
  const database = testDatabase(sqlite);
  let failure: Failure | undefined;
  let count = 0;
  const reach = (label: string): void => {
    if (failure === undefined || (failure.kind === "full" && !adds.test(label))) return;
    const number = count++;
    if (failure.kind === "once" ? number === failure.after : number >= failure.after)
      throw new Error(`the database failed at ${number}: ${label.slice(0, 60)}`);
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
