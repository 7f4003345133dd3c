/**
 * Error message of the function `value` for a unit: it describes the origin of the unit.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala (value)
 */
import { newestLibraryVersion } from "../../protocol/transactions/library-versions.ts";
import { indexReaders, listReaders, selfReaders, stateReaders } from "../functions/data-entries.ts";
import { complexityIn, type LibraryFunction } from "../functions/function-definition.ts";
import { functionTable } from "../functions/library.ts";
import type { Call, Expression } from "../script/expression.ts";
import { Structure, type Value } from "../values/value.ts";
import { bytesText, valueText } from "../values/value-text.ts";

const base = "value() called on unit value";

const names = new Map<number, string>();
for (const definition of functionTable)
  if (isCurrent(definition) && definition.kind === "native") names.set(definition.id, definition.name);

function isCurrent(definition: LibraryFunction): boolean {
  return definition.until === undefined && complexityIn(definition, newestLibraryVersion) > 0;
}

/** Whether the message needs the argument values of a call. */
export function needsArguments(argument: Expression | undefined): argument is Call {
  return argument?.kind === "call" && readerKind(argument) !== undefined;
}

/** @param args arguments of the call that returned the unit, if `needsArguments` */
export function valueMessage(argument: Expression | undefined, args: readonly Value[]): string {
  switch (argument?.kind) {
    case "call":
      return callMessage(argument, args);
    case "getter":
      return `${base} while accessing field '${argument.field}'`;
    case "reference":
      return `${base} by reference '${argument.name}'`;
    case "block":
      return argument.isLetBlock ? `${base} after let block evaluation` : `${base} after block evaluation`;
    case "if":
      return `${base} after condition evaluation`;
    default:
      return base;
  }
}

function callMessage(call: Call, args: readonly Value[]): string {
  const name = typeof call.function === "number" ? (names.get(call.function) ?? String(call.function)) : call.function;
  const [first, second] = args;
  switch (readerKind(call)) {
    case "state":
      return `value by key '${printedValue(second)}' not found for the address base58'${printedAddress(first)}' on function '${name}Value' call`;
    case "self":
      return `value by key '${printedValue(first)}' not found for the contract address on function '${name}Value' call`;
    case "list":
      return `value by key '${printedValue(second)}' not found in the list on function '${name}Value' call`;
    case "index":
      return `value by index ${printedValue(second)} not found in the list on function '${name}Value' call`;
    default:
      return `${base} on function '${name}' call`;
  }
}

function readerKind({ function: called }: Call): "state" | "self" | "list" | "index" | undefined {
  if (typeof called === "string") return indexReaders.has(called) ? "index" : undefined;
  if (stateReaders.has(called)) return "state";
  if (selfReaders.has(called)) return "self";
  return listReaders.has(called) ? "list" : undefined;
}

function printedValue(value: Value | undefined): string {
  return value === undefined ? "" : valueText(value);
}

function printedAddress(value: Value | undefined): string {
  const [content] = value instanceof Structure ? value.fields.values() : [];
  return content instanceof Uint8Array ? bytesText(content) : printedValue(content);
}
