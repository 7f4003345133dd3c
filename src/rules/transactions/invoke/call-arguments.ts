/**
 * Allowed argument values of a callable.
 * @source Waves: state/diffs/invoke/CallArgumentPolicy.scala; features/FunctionCallPolicyProvider.scala
 */
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import { inHashTableOrder, textHash } from "../../../protocol/hash-table-order.ts";
import { Text } from "../../../ride/values/text.ts";
import { List, type Value } from "../../../ride/values/value.ts";
import type { StateView } from "../../state/state-view.ts";

const primitiveTypes = ["Int", "ByteVector", "Boolean", "String"];
const allTypes = [...primitiveTypes, "List[]"];

/** Checks the arguments of a transaction's call. @throws RuleError generic */
export function checkArguments(args: readonly Value[], view: StateView): void {
  if (view.has(Feature.RideV6)) {
    checkListsOfPrimitives(args);
    return;
  }
  const allowsLists = view.has(Feature.BlockV5);
  if (args.every((value) => isPrimitive(value) || (allowsLists && value instanceof List))) return;
  throw refused(allowsLists ? allTypes : primitiveTypes);
}

/** Checks the arguments of any call, from feature 17 on. @throws RuleError generic */
export function checkListsOfPrimitives(args: readonly Value[]): void {
  if (args.every((value) => isPrimitive(value) || (value instanceof List && value.items.every(isPrimitive)))) return;
  throw refused(allTypes);
}

function isPrimitive(value: Value): boolean {
  return (
    typeof value === "bigint" || typeof value === "boolean" || value instanceof Uint8Array || value instanceof Text
  );
}

function refused(types: readonly string[]): RuleError {
  const names = inHashTableOrder(types, textHash).join(", ");
  return new RuleError({
    code: "generic",
    message: `All arguments of InvokeScript must be one of the types: ${names}`,
  });
}
