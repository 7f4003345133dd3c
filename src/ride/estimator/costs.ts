/**
 * Inputs of the estimators: defined names, and costs of functions and constructors.
 * @source Waves: lang/utils/package.scala (functionCosts, varNames)
 */
import { complexityIn } from "../functions/function-definition.ts";
import { globalsOf } from "../functions/globals.ts";
import { type LibraryKind, libraryOf } from "../functions/library.ts";
import { objectTypesOf } from "../functions/types.ts";
import { invocations } from "../script/calls-dapps.ts";
import { EstimationError } from "./estimation-error.ts";

export interface Costs {
  readonly functions: ReadonlyMap<number | string, number>;
  readonly names: readonly string[];
  /** Functions with a name but without a cost: no call of them is allowed, even in code that cannot run. */
  readonly forbidden: ReadonlySet<number | string>;
}

const caches = new Map<string, Costs>();
/**
 * First version in which constructors that scripts do not see are undefined and cost nothing; before, all were defined.
 */
const hidesSince = 4;
/** First version in which scripts may call dApps. */
const callsSince = 5;
/** The only version with the constructors of asset scripts when all kinds of scripts are combined. */
const assetConstructorsIn = 1;
const noFunctions: ReadonlySet<number | string> = new Set();

/** Costs for scripts of accounts. */
export function costsOf(libraryVersion: number, content: LibraryKind["content"]): Costs {
  const key = `${libraryVersion} ${content}`;
  let costs = caches.get(key);
  if (costs === undefined) {
    const kind: LibraryKind = { libraryVersion, content, guards: "account" };
    const functions = new Map<number | string, number>();
    for (const [name, cost] of constructorCosts(kind)) functions.set(name, cost);
    for (const [called, definition] of libraryOf(kind)) functions.set(called, complexityIn(definition, libraryVersion));
    costs = { functions, names: [...globalsOf(kind).keys()], forbidden: noFunctions };
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
 * Costs for an expression of any kind: combines scripts of accounts, scripts of assets and callable expressions. If
 * they differ, one of them holds, by the order of the reference's table.
 */
export function costsOfAnyExpression(libraryVersion: number): Costs {
  const costs = costsOf(libraryVersion, "expression");
  const functions = new Map(costs.functions);
  if (libraryVersion === assetConstructorsIn) {
    const assetCosts = constructorCosts({ libraryVersion, content: "expression", guards: "asset" });
    for (const [name, cost] of assetCosts) functions.set(name, cost);
  }
  if (libraryVersion >= callsSince) {
    const dAppCosts = costsOf(libraryVersion, "dApp").functions;
    for (const called of invocations) functions.set(called, dAppCosts.get(called) as number);
  }
  return { ...costs, functions };
}

/** Costs for verifiers of dApps before feature 17: calls of dApps have no cost. */
export function costsOfVerifier(libraryVersion: number): Costs {
  const costs = costsOf(libraryVersion, "dApp");
  return libraryVersion < callsSince ? costs : { ...costs, forbidden: invocations };
}

/** Error of a verifier that contains a call of a dApp. */
export function callFromVerifier(): EstimationError {
  return new EstimationError("DApp-to-dApp invocations are not allowed from verifier");
}

/** A function in the reference's messages. */
export function functionText(called: number | string): string {
  return typeof called === "number" ? `Native(${called})` : `User(${called})`;
}
