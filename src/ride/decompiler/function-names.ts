/**
 * What sources call the native functions of a library.
 * @source Waves: lang/v1/CTX.scala (decompilerContext)
 */
import { libraryOf } from "../functions/library.ts";
import type { Script } from "../script/expression.ts";

/** Functions that sources write between their two arguments. */
const binaryOperators: ReadonlySet<string> = new Set([
  "||",
  "&&",
  ">",
  ">=",
  "==",
  "!=",
  "cons",
  "+",
  "-",
  "*",
  "/",
  "%",
  ":+",
  "++",
]);

export interface FunctionNames {
  /** By id. */
  readonly natives: ReadonlyMap<number, string>;
  readonly operators: ReadonlyMap<number, string>;
}

const caches = new Map<string, FunctionNames>();

/** Of scripts of accounts and of assets alike. */
export function functionNamesOf({
  libraryVersion,
  content,
}: Pick<Script, "libraryVersion" | "content">): FunctionNames {
  const key = `${libraryVersion} ${content}`;
  let names = caches.get(key);
  if (names === undefined) {
    const natives = new Map<number, string>();
    for (const guards of ["asset", "account"] as const) {
      for (const row of libraryOf({ libraryVersion, content, guards }).values()) {
        if (row.kind === "native") natives.set(row.id, row.name);
      }
    }
    names = { natives, operators: new Map([...natives].filter(([, name]) => binaryOperators.has(name))) };
    caches.set(key, names);
  }
  return names;
}
