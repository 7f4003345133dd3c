import { expect, test } from "vitest";
import { complexityIn, type LibraryFunction } from "../../../src/ride/functions/function-row.ts";
import { functionTable, libraryOf, MAX_LIBRARY_VERSION } from "../../../src/ride/functions/library.ts";
import { type DocumentedType, findReferenceCompiler } from "../reference-compiler.ts";

const compiler = findReferenceCompiler();
const versions = Array.from({ length: MAX_LIBRARY_VERSION }, (_, index) => index + 1);
/** The union that has a name in two versions. */
const digests = "Md5|NoAlg|Sha1|Sha224|Sha256|Sha3224|Sha3256|Sha3384|Sha3512|Sha384|Sha512";

function rowsOf(libraryVersion: number, content: "expression" | "dApp"): readonly LibraryFunction[] {
  return [...libraryOf({ libraryVersion, content, guards: "account" }).values()];
}

function typeText(type: DocumentedType): string {
  if (typeof type === "string") return type;
  if ("listOf" in type) return `List[${typeText(type.listOf)}]`;
  if ("typeName" in type) return type.typeName;
  return Array.isArray(type) ? (type as DocumentedType[]).map(typeText).sort().join("|") : "tuple";
}

/** Types of a row's parameters. */
function parameterTypes({ parameters }: LibraryFunction): readonly string[] {
  return parameters === "" ? [] : splitOutside(parameters).map((parameter) => parameter.replace(/^[^:]*: /, ""));
}

function splitOutside(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  [...text].forEach((character, index) => {
    if ("([".includes(character)) depth++;
    if (")]".includes(character)) depth--;
    if (character !== "," || depth > 0) return;
    parts.push(text.slice(start, index).trim());
    start = index + 1;
  });
  return [...parts, text.slice(start).trim()];
}

test("ids are the reference's: no two functions of a version share one", () => {
  for (const version of versions) {
    const keys = functionTable
      .filter(({ since, until = version }) => since <= version && version <= until)
      .map((row) => (row.kind === "native" ? row.id : row.internalName));
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test.skipIf(compiler === undefined)(
  "each version has the functions of the reference compiler, by name and types [needs @waves/ride-lang]",
  () => {
    for (const version of versions) {
      const documented = (compiler?.getFunctionsDoc(version) ?? []).map(
        ({ name, args }) => `${name}(${args.map(({ type }) => typeText(type)).join(", ")})`,
      );
      const own = rowsOf(version, "expression")
        .filter(({ name }) => !name.startsWith("$"))
        .map((row) => `${row.name}(${parameterTypes(row).join(", ").replace("RsaDigestAlgs", digests)})`);
      const isTuple = (signature: string): boolean => /^size\((tuple|\(A)/.test(signature);
      expect(own.filter((signature) => !isTuple(signature)).sort()).toEqual(
        documented.filter((signature) => !isTuple(signature)).sort(),
      );
    }
  },
);

const operators: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", ">", ">=", "==", "!=", ":+", "++"]);

/** A call of the row with the parameters of a function around it. */
function callText({ name }: LibraryFunction, names: readonly string[]): string {
  const [first, second] = names;
  if (names.length === 2 && operators.has(name)) return `${first} ${name} ${second}`;
  if (name === "!" || name === "-") return `${name}${first}`;
  if (name === "cons") return `${first}::${second}`;
  return name === "getElement" ? `${first}[${second}]` : `${name}(${names.join(", ")})`;
}

/** The row's types with a type in the place of each letter. */
function concreteTypes(row: LibraryFunction): readonly string[] {
  return parameterTypes(row).map((type) =>
    type
      .replaceAll(/\b[ABT]\b/g, "Int")
      .replace("Int|Int", "Int")
      .replace("Script|Unit", "Unit")
      .replace("RsaDigestAlgs", digests),
  );
}

test.skipIf(compiler === undefined)(
  "every function costs what the reference compiler says, in each version with functions [needs @waves/ride-lang]",
  () => {
    for (const version of versions.filter((candidate) => candidate >= 3)) {
      const rows = rowsOf(version, "dApp").filter(
        ({ name, parameters, result }) =>
          !name.startsWith("$") && !parameters.startsWith("tuple") && result !== "Nothing",
      );
      const declarations = rows.map((row, index) => {
        const types = concreteTypes(row);
        const names = types.map((_, position) => `p${index}n${position}`);
        const parameters = types.map((type, position) => `${names[position]}: ${type}`).join(", ");
        return `func f${index}(${parameters}) = ${callText(row, names)}`;
      });
      const head = `{-# STDLIB_VERSION ${version} #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n`;
      const compiled = compiler?.compile(`${head}${declarations.join("\n")}\n`, 3, false, false);
      expect(compiled?.error).toBeUndefined();
      const complexities = rows.map((row, index) => ({
        name: row.name,
        parameters: row.parameters,
        complexity: compiled?.userFunctionComplexities[`f${index}`],
      }));
      const own = rows.map((row) => ({
        name: row.name,
        parameters: row.parameters,
        complexity: complexityIn(row, version),
      }));
      expect(complexities).toEqual(own);
    }
  },
);
