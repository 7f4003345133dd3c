/**
 * Parsing of a callable's return value to actions: `WriteSet`, `TransferSet` and `ScriptResult` of version 3, lists
 * from version 4 on, a list with a value from version 5 on.
 * @source Waves: lang/v1/evaluator/ScriptResult.scala
 */
import { ExecutionError, NativeFailure } from "../execution-error.ts";
import { requiredField } from "../values/required-field.ts";
import { List, Structure, unit, type Value } from "../values/value.ts";
import { valueText } from "../values/value-text.ts";
import { type ActionContext, parseAction, parseOldEntry, parseTransfer } from "./action-values.ts";
import type { CallableAction, DataAction, TransferAction } from "./callable-action.ts";
import { resultError } from "./result-error.ts";

export interface ScriptResult {
  readonly actions: readonly CallableAction[];
  /** Return value for a calling dApp. */
  readonly returnValue: Value;
}

const writeSetType = "WriteSet";
const transferSetType = "TransferSet";

/** @throws ExecutionError the value is no result, or one of its items is no action */
export function parseScriptResult(value: Value, context: ActionContext): ScriptResult {
  const { libraryVersion } = context;
  if (libraryVersion === 3 && value instanceof Structure) {
    return { actions: oldActions(value, context), returnValue: unit };
  }
  if (libraryVersion >= 4 && value instanceof List)
    return { actions: listedActions(value, context), returnValue: unit };
  if (libraryVersion >= 5 && value instanceof Structure) {
    const list = value.fields.get("_1");
    const returnValue = value.fields.get("_2");
    if (list instanceof List && returnValue !== undefined)
      return { actions: listedActions(list, context), returnValue };
    throw resultError(value.type, libraryVersion);
  }
  throw resultError(`(${valueText(value)},V${libraryVersion})`, libraryVersion);
}

function listedActions(list: List, context: ActionContext): readonly CallableAction[] {
  return list.items.map((item) => {
    if (item instanceof Structure) return parseAction(item, context);
    throw resultError(valueText(item), context.libraryVersion);
  });
}

function oldActions(result: Structure, context: ActionContext): readonly CallableAction[] {
  switch (result.type) {
    case writeSetType:
      return writes(result);
    case transferSetType:
      return transfers(result, context);
    case "ScriptResult": {
      // Both are parsed before either error is thrown: a failure of the virtual machine takes precedence.
      const writeSet = parseNow(() => writes(partOf(result, "writeSet", writeSetType, "data")));
      const transferSet = parseNow(() =>
        transfers(partOf(result, "transferSet", transferSetType, "transfers"), context),
      );
      return [...writeSet(), ...transferSet()];
    }
    default:
      throw resultError(result.type, 3);
  }
}

function partOf(result: Structure, name: string, type: string, expected: string): Structure {
  const part = requiredField(result.fields, name);
  if (part instanceof Structure && part.type === type) return part;
  throw resultError(valueText(part), 3, expected);
}

/** @returns function that returns the result, or throws its error @throws NativeFailure immediately */
function parseNow<Actions>(parse: () => Actions): () => Actions {
  try {
    const actions = parse();
    return () => actions;
  } catch (error) {
    if (!(error instanceof ExecutionError) || error instanceof NativeFailure) throw error;
    return () => {
      throw error;
    };
  }
}

function writes(set: Structure): readonly DataAction[] {
  const data = requiredField(set.fields, "data");
  if (!(data instanceof List)) throw resultError(valueText(data), 3, "List(data)");
  return data.items.map((item) => {
    if (item instanceof Structure && item.type === "DataEntry") return parseOldEntry(item.fields);
    throw resultError(valueText(item), 3, "DataEntry");
  });
}

function transfers(set: Structure, context: ActionContext): readonly TransferAction[] {
  const list = requiredField(set.fields, "transfers");
  if (!(list instanceof List)) throw resultError(valueText(list), 3, "List(transfers)");
  return list.items.map((item) => {
    if (item instanceof Structure && item.type === "ScriptTransfer") return parseTransfer(item.fields, context);
    throw resultError(valueText(item), 3, transferSetType);
  });
}
