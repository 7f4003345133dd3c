/**
 * Names of a library's native functions in sources.
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
  /** Names by id. */
  readonly natives: ReadonlyMap<number, string>;
  readonly operators: ReadonlyMap<number, string>;
}

const caches = new Map<string, FunctionNames>();

/** Names for scripts of accounts and of assets alike. */
export function functionNamesOf({
  libraryVersion,
  content,
}: Pick<Script, "libraryVersion" | "content">): FunctionNames {
  const key = `${libraryVersion} ${content}`;
  let names = caches.get(key);
  if (names === undefined) {
    const natives = new Map<number, string>();
    for (const guards of ["asset", "account"] as const) {
      for (const definition of libraryOf({ libraryVersion, content, guards }).values()) {
        if (definition.kind === "native") natives.set(definition.id, definition.name);
      }
    }
    names = { natives, operators: new Map([...natives].filter(([, name]) => binaryOperators.has(name))) };
    caches.set(key, names);
  }
  return names;
}
