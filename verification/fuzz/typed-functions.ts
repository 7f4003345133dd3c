/** Functions of a library version by result type, for the random sources. */
import type { LibraryFunction } from "../../src/ride/functions/function-definition.ts";
import { libraryOf } from "../../src/ride/functions/library.ts";

export interface TypedFunction {
  readonly result: string;
  readonly parameters: readonly string[];
  /** Source text of a call. */
  readonly write: (args: readonly string[]) => string;
}

const infix: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", ">", ">=", "==", "!=", ":+", "++"]);
/** Types for a type variable. */
const concreteTypes = ["Int", "String", "ByteVector", "BigInt"] as const;
/** Library version from which sources can contain lists. */
const listsSince = 3;
/**
 * Excluded functions: those that read changing data, or whose results are not compared; a list filled to a thousand
 * million items ends the reference's process.
 */
const excluded =
  /^(height|lastBlock|blockInfoByHeight|transactionById|transferTransactionById|calculateDelay|invoke|reentrantInvoke|groth16|bn256|validateCertificateChain|fill|\$|_)/;
const recipient = "Address|Alias";
/** Parameter types that a source can be generated for. */
const writable = new Set([
  "Int",
  "String",
  "ByteVector",
  "Boolean",
  "BigInt",
  "Rounding",
  "Digest",
  recipient,
  "List[Int]",
  "List[String]",
  "List[BigInt]",
  "List[ByteVector]",
  "Int|Unit",
]);

const cache = new Map<number, ReadonlyMap<string, readonly TypedFunction[]>>();

/** Functions by the type of the result. */
export function functionsByResult(libraryVersion: number): ReadonlyMap<string, readonly TypedFunction[]> {
  let found = cache.get(libraryVersion);
  if (found === undefined) {
    const rows = [...libraryOf({ libraryVersion, content: "expression", guards: "account" }).values()];
    found = Map.groupBy(
      rows.flatMap((row) => typedForms(row, libraryVersion)),
      ({ result }) => result,
    );
    cache.set(libraryVersion, found);
  }
  return found;
}

function typedForms(row: LibraryFunction, libraryVersion: number): readonly TypedFunction[] {
  if (excluded.test(row.name) || (row.kind === "native" && row.evaluate === undefined)) return [];
  const isGeneric = /\b[ABT]\b/.test(`${row.parameters} ${row.result}`);
  const letters = isGeneric ? concreteTypes.filter((type) => type !== "BigInt" || libraryVersion >= 5) : ["Int"];
  const forms: TypedFunction[] = [];
  for (const letter of letters) {
    const parameters = parameterTypes(row.parameters).map((type) => normalized(type, letter));
    if (parameters.every((type) => writable.has(type) && (libraryVersion >= listsSince || !type.startsWith("List")))) {
      forms.push(...usableForms(normalized(row.result, letter), parameters, writer(row), libraryVersion));
    }
  }
  return forms;
}

/** A function with an optional result is also used with an extraction. */
function usableForms(
  result: string,
  parameters: readonly string[],
  write: TypedFunction["write"],
  libraryVersion: number,
): readonly TypedFunction[] {
  const forms: TypedFunction[] = [{ result: result === "Nothing" ? "Int" : result, parameters, write }];
  const some = /^(\w+)\|Unit$/.exec(result)?.[1];
  if (some === undefined) return forms;
  const value = libraryVersion >= 3 ? "value" : "extract";
  forms.push({ result: some, parameters, write: (args) => `${value}(${write(args)})` });
  forms.push({ result: "Boolean", parameters, write: (args) => `isDefined(${write(args)})` });
  return forms;
}

function writer({ name, parameters }: LibraryFunction): TypedFunction["write"] {
  const count = parameterTypes(parameters).length;
  if (infix.has(name) && count === 2) return ([left, right]) => `(${left} ${name} ${right})`;
  if (count === 1 && (name === "!" || name === "-")) return ([only]) => `(${name}(${only}))`;
  if (name === "cons") return ([head, tail]) => `(${head} :: ${tail})`;
  if (name === "getElement") return ([list, index]) => `${list}[${index}]`;
  return (args) => `${name}(${args.join(", ")})`;
}

function normalized(type: string, letter: string): string {
  if (/^(Ceiling|Down)\|/.test(type)) return "Rounding";
  if (type === "RsaDigestAlgs" || type.startsWith("Md5|NoAlg")) return "Digest";
  return type.replaceAll(/\b[ABT]\b/g, letter).replace(`${letter}|${letter}`, letter);
}

/** @param parameters in the form `a: Int, b: List[Int]` */
export function parameterTypes(parameters: string): readonly string[] {
  const types: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= parameters.length; index++) {
    const character = parameters[index];
    if (character === "(" || character === "[") depth++;
    else if (character === ")" || character === "]") depth--;
    else if ((character === undefined || character === ",") && depth === 0) {
      if (index > start)
        types.push(
          parameters
            .slice(start, index)
            .replace(/^[^:]*:/, "")
            .trim(),
        );
      start = index + 1;
    }
  }
  return types;
}
