/**
 * What estimators know beforehand: names that are defined, and what functions and constructors cost.
 * @source Waves: lang/utils/package.scala (functionCosts, varNames)
 */
import { complexityIn } from "../functions/function-row.ts";
import { globalsOf } from "../functions/globals.ts";
import { type LibraryKind, libraryOf } from "../functions/library.ts";
import { objectTypesOf } from "../functions/types.ts";

export interface Costs {
  readonly functions: ReadonlyMap<number | string, number>;
  readonly names: readonly string[];
}

const caches = new Map<string, Costs>();
/** Constructors that scripts do not see cost nothing, because they are not there; before, all of them were. */
const hidesSince = 4;

/** Costs for scripts of accounts. */
export function costsOf(libraryVersion: number, content: LibraryKind["content"]): Costs {
  const key = `${libraryVersion} ${content}`;
  let costs = caches.get(key);
  if (costs === undefined) {
    const kind: LibraryKind = { libraryVersion, content, guards: "account" };
    const functions = new Map<number | string, number>();
    for (const type of objectTypesOf(kind).values()) {
      if (!type.isHidden || libraryVersion < hidesSince) functions.set(type.name, type.fields.length);
    }
    for (const [called, row] of libraryOf(kind)) functions.set(called, complexityIn(row, libraryVersion));
    costs = { functions, names: [...globalsOf(kind).keys()] };
    caches.set(key, costs);
  }
  return costs;
}

/** A function as the reference's messages name it. */
export function functionText(called: number | string): string {
  return typeof called === "number" ? `Native(${called})` : `User(${called})`;
}
