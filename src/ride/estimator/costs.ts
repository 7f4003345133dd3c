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
/** Of all versions this one has the constructors of assets' scripts where all kinds of scripts are put together. */
const assetConstructorsIn = 1;
const nothing: ReadonlySet<number | string> = new Set();

/** Costs for scripts of accounts. */
export function costsOf(libraryVersion: number, content: LibraryKind["content"]): Costs {
  const key = `${libraryVersion} ${content}`;
  let costs = caches.get(key);
  if (costs === undefined) {
    const kind: LibraryKind = { libraryVersion, content, guards: "account" };
    const functions = new Map<number | string, number>();
    for (const [name, cost] of constructorCosts(kind)) functions.set(name, cost);
    for (const [called, row] of libraryOf(kind)) functions.set(called, complexityIn(row, libraryVersion));
    costs = { functions, names: [...globalsOf(kind).keys()], forbidden: nothing };
    caches.set(key, costs);
  }
  return costs;
}

function* constructorCosts(kind: LibraryKind): Iterable<readonly [name: string, cost: number]> {
  for (const type of objectTypesOf(kind).values()) {
    if (!type.isHidden || kind.libraryVersion < hidesSince) yield [type.name, type.fields.length];
  }
}

/**
 * Costs for an expression that may be anybody's: what scripts of accounts, scripts of assets and expressions that are
 * called find, all at once. Where those differ, the costs of one of them hold, by the order of the reference's table.
 */
export function costsOfAnyExpression(libraryVersion: number): Costs {
  const costs = costsOf(libraryVersion, "expression");
  const functions = new Map(costs.functions);
  if (libraryVersion === assetConstructorsIn) {
    const ofAssets = constructorCosts({ libraryVersion, content: "expression", guards: "asset" });
    for (const [name, cost] of ofAssets) functions.set(name, cost);
  }
  if (libraryVersion >= callsSince) {
    const ofDApps = costsOf(libraryVersion, "dApp").functions;
    for (const called of invocations) functions.set(called, ofDApps.get(called) as number);
  }
  return { ...costs, functions };
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
