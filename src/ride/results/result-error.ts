/**
 * Error for a result of the wrong shape: it contains the required type of the version, and the result as the
 * reference's virtual machine prints it.
 * @source Waves: lang/v1/evaluator/ScriptResult.scala (err), ctx/impl/package.scala (callableResultError)
 */
import { ExecutionError } from "../execution-error.ts";
import type { Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";

const v4Actions = [
  "BinaryEntry",
  "BooleanEntry",
  "Burn",
  "DeleteEntry",
  "IntegerEntry",
  "Issue",
  "Reissue",
  "ScriptTransfer",
  "SponsorFee",
  "StringEntry",
];
const v5Actions = [...v4Actions, "Lease", "LeaseCancel"].sort();

function resultType(libraryVersion: number): string {
  if (libraryVersion === 3) return "ScriptResult|TransferSet|WriteSet";
  if (libraryVersion === 4) return `List[${v4Actions.join("|")}]`;
  const actions = `List[${v5Actions.join("|")}]`;
  return `(${actions}, Any)|${actions}`;
}

/** @param expected name of the expected part, if the reference prints it */
export function resultError(got: string, libraryVersion: number, expected = ""): ExecutionError {
  const instead = expected === "" ? "" : ` instead of ${expected}`;
  return new ExecutionError(
    `CallableFunction needs to return ${resultType(libraryVersion)}, but got '${got}'${instead}`,
  );
}

/** Several values as a tuple: `(1,2)`. */
export function tupleText(...values: readonly Value[]): string {
  return `(${values.map(valueText).join(",")})`;
}

/** Optional fields: `(Some(1),None)`. */
export function optionsText(...values: readonly (Value | undefined)[]): string {
  return `(${values.map(optionText).join(",")})`;
}

export function optionText(value: Value | undefined): string {
  return value === undefined ? "None" : `Some(${valueText(value)})`;
}

/** `Map(key -> a, value -> 1)` */
export function fieldsText(fields: ReadonlyMap<string, Value>): string {
  return `Map(${[...fields].map(([name, value]) => `${name} -> ${valueText(value)}`).join(", ")})`;
}
