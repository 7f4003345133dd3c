/**
 * What estimators know beforehand: names that are defined, and what functions and constructors cost.
 * @source Waves: lang/utils/package.scala (functionCosts, varNames)
 */
import { complexityIn } from "../functions/function-row.ts";
import { globalsOf } from "../functions/globals.ts";
import { type LibraryKind, libraryOf } from "../functions/library.ts";
import { objectTypesOf } from "../functions/types.ts";
import { invocations } from "../script/calls-dapps.ts";
import { EstimationError } from "./estimation-error.ts";

export interface Costs {
  readonly functions: ReadonlyMap<number | string, number>;
  readonly names: readonly string[];
  /** Functions that have a name and no cost: none may be called, even where no run would come. */
  readonly forbidden: ReadonlySet<number | string>;
}

const caches = new Map<string, Costs>();
/** Constructors that scripts do not see cost nothing, because they are not there; before, all of them were. */
const hidesSince = 4;
/** From this version on scripts may call dApps. */
const callsSince = 5;
const nothing: ReadonlySet<number | string> = new Set();

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
    costs = { functions, names: [...globalsOf(kind).keys()], forbidden: nothing };
    caches.set(key, costs);
  }
  return costs;
}

/** Costs for the verifiers of dApps before feature 17: calls of dApps have none. */
export function costsOfVerifier(libraryVersion: number): Costs {
  const costs = costsOf(libraryVersion, "dApp");
  return libraryVersion < callsSince ? costs : { ...costs, forbidden: invocations };
}

/** The fault of a verifier that calls a dApp, or might. */
export function callFromVerifier(): EstimationError {
  return new EstimationError("DApp-to-dApp invocations are not allowed from verifier");
}

/** A function as the reference's messages name it. */
export function functionText(called: number | string): string {
  return typeof called === "number" ? `Native(${called})` : `User(${called})`;
}
