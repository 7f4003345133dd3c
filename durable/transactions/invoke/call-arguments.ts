/**
 * Which values a callable may be called with.
 * @source Waves: state/diffs/invoke/CallArgumentPolicy.scala; features/FunctionCallPolicyProvider.scala
 */
import { Feature } from "../../../src/network/features.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { printedOrder } from "../../../src/ride/values/field-order.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List, type Value } from "../../../src/ride/values/value.ts";
import type { StateView } from "../../state/state-view.ts";

const primitiveTypes = ["Int", "ByteVector", "Boolean", "String"];
const allTypes = [...primitiveTypes, "List[]"];

/** Of the call of a transaction. @throws RuleError generic */
export function checkArguments(args: readonly Value[], view: StateView): void {
  if (view.isActive(Feature.RideV6, view.height)) {
    checkListsOfPrimitives(args);
    return;
  }
  const allowsLists = view.isActive(Feature.BlockV5, view.height);
  if (args.every((value) => isPrimitive(value) || (allowsLists && value instanceof List))) return;
  throw refused(allowsLists ? allTypes : primitiveTypes);
}

/** From feature 17 on, of every call. @throws RuleError generic */
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
  const names = printedOrder(types).join(", ");
  return new RuleError({
    code: "generic",
    message: `All arguments of InvokeScript must be one of the types: ${names}`,
  });
}
