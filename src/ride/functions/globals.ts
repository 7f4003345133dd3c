/**
 * Predefined names of scripts.
 * @source Waves: lang/v1/evaluator/ctx/impl/PureContext.scala, CryptoContext.scala, waves/WavesContext.scala
 */

import type { Environment } from "../evaluator/environment.ts";
import { blockObject } from "../objects/chain-objects.ts";
import { List, Structure, unit, type Value } from "../values/value.ts";
import { digests } from "./digests.ts";
import type { LibraryKind } from "./library.ts";
import { oldRoundings, roundings } from "./rounding.ts";

export type Global = (environment: Environment) => Value;

const caches = new Map<string, ReadonlyMap<string, Global>>();

export function globalsOf(kind: LibraryKind): ReadonlyMap<string, Global> {
  const key = `${kind.libraryVersion} ${kind.content}`;
  let globals = caches.get(key);
  if (globals === undefined) {
    globals = makeGlobals(kind);
    caches.set(key, globals);
  }
  return globals;
}

function makeGlobals({ libraryVersion, content }: LibraryKind): ReadonlyMap<string, Global> {
  const globals = new Map<string, Global>();
  const define = (name: string, value: Value): void => {
    globals.set(name, () => value);
  };
  define("unit", unit);
  for (const name of libraryVersion < 5 ? [...oldRoundings, ...roundings] : roundings) {
    define(name.toUpperCase(), new Structure(name, new Map()));
  }
  globals.set("height", (environment) => BigInt(environment.height()));
  if (libraryVersion >= 2) for (const name of ["Sell", "Buy"]) define(name, new Structure(name, new Map()));
  if (libraryVersion < 3 || content === "expression") globals.set("tx", (environment) => environment.input());
  if (libraryVersion < 3) return globals;
  define("nil", new List([]));
  for (const name of digests) define(name.toUpperCase(), new Structure(name, new Map()));
  globals.set("this", (environment) => environment.self());
  globals.set("lastBlock", (environment) => blockObject(environment.lastBlock(), libraryVersion));
  return globals;
}
