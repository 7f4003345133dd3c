/**
 * Log of an execution: values of declarations and arguments, costs of calls.
 * @source Waves: lang/v1/evaluator/EvaluatorV2.scala (LogKeys, logFunc), ctx/EvaluationContext.scala
 */
import { ExecutionError } from "../execution-error.ts";
import { listValue, type Value } from "../values/value.ts";

/** Entries for a whole call; traces omit them. */
export const INVOKED_DAPP = "@invokedDApp";
export const INVOKED_FUNCTION = "@invokedFuncName";
export const STATE_CHANGES = "@stateChanges";

export interface LogEntry {
  readonly name: string;
  readonly result: Value | ExecutionError;
}

export class EvaluationLog {
  readonly entries: LogEntry[] = [];
  readonly #errors = new Set<string>();

  add(name: string, result: Value): void {
    this.entries.push({ name, result });
  }

  /** Logs an error once: for the innermost value that it prevented. */
  addError(name: string, error: ExecutionError): void {
    const key = `${error.name} ${error.message}`;
    if (this.#errors.has(key)) return;
    this.#errors.add(key);
    this.entries.push({ name, result: error });
  }

  /** Arguments whose total weight is too high are omitted. */
  addArguments(functionName: string, args: readonly Value[]): void {
    try {
      this.add(`${functionName}.@args`, listValue(args, { isLimited: false }));
    } catch (error) {
      if (!(error instanceof ExecutionError)) throw error;
    }
  }

  /** @param unusedComplexity remaining after the call */
  addComplexity(functionName: string, complexity: number, unusedComplexity: number): void {
    this.add(`${functionName}.@complexity`, BigInt(complexity));
    this.add("@complexityLimit", BigInt(unusedComplexity));
  }
}
