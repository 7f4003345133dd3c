import type { DocumentedType } from "@waves/ride-lang";
import { expect, test } from "vitest";
import { libraryVersions } from "../../../src/protocol/transactions/library-versions.ts";
import { estimateScript } from "../../../src/ride/estimator/script-complexity.ts";
import { complexityIn, type LibraryFunction } from "../../../src/ride/functions/function-definition.ts";
import { functionTable, libraryOf } from "../../../src/ride/functions/library.ts";
import type { Expression, Script } from "../../../src/ride/script/expression.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { compiler, compileSource } from "../../support/builders/reference-compiler.ts";

/** First version whose sources declare functions. */
const functionsSince = 3;
const newest = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };
/** Union with a name in two versions. */
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

/** Types of a function's parameters. */
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
  for (const version of libraryVersions) {
    const keys = functionTable
      .filter(({ since, until = version }) => since <= version && version <= until)
      .map((row) => (row.kind === "native" ? row.id : row.internalName));
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test("each version has the functions of the reference compiler, by name and types", () => {
  for (const version of libraryVersions) {
    const documented = compiler
      .getFunctionsDoc(version, false, false)
      .map(({ name, args }) => `${name}(${args.map(({ type }) => typeText(type)).join(", ")})`);
    const own = rowsOf(version, "expression")
      .filter(({ name }) => !name.startsWith("$"))
      .map((row) => `${row.name}(${parameterTypes(row).join(", ").replace("RsaDigestAlgs", digests)})`);
    const isTuple = (signature: string): boolean => /^size\((tuple|\(A)/.test(signature);
    expect(own.filter((signature) => !isTuple(signature)).sort()).toEqual(
      documented.filter((signature) => !isTuple(signature)).sort(),
    );
  }
});

const operators: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", ">", ">=", "==", "!=", ":+", "++"]);

/** Call of the function with the parameters of a function around it. */
function callText({ name }: LibraryFunction, names: readonly string[]): string {
  const [first, second] = names;
  if (names.length === 2 && operators.has(name)) return `${first} ${name} ${second}`;
  if (name === "!" || name === "-") return `${name}${first}`;
  if (name === "cons") return `${first}::${second}`;
  return name === "getElement" ? `${first}[${second}]` : `${name}(${names.join(", ")})`;
}

/** Types of the function with a type in place of each letter. */
function concreteTypes(row: LibraryFunction): readonly string[] {
  return parameterTypes(row).map((type) =>
    type
      .replaceAll(/\b[ABT]\b/g, "Int")
      .replace("Int|Int", "Int")
      .replace("Script|Unit", "Unit")
      .replace("RsaDigestAlgs", digests),
  );
}

function complexityOf(row: LibraryFunction, version: number) {
  const called = row.kind === "native" ? row.id : row.internalName;
  return { name: row.name, parameters: row.parameters, called, complexity: complexityIn(row, version) };
}

test("every function has the id and the cost that the reference compiler knows, in each version with functions", () => {
  for (const version of libraryVersions.filter((candidate) => candidate >= functionsSince)) {
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
    const compiled = compileSource(`${head}${declarations.join("\n")}\n`);
    const bodies = bodiesOf(parseScript(new Uint8Array(compiled.result)));
    const found = rows.map(({ name, parameters }, index) => {
      const body = bodies[index];
      const called = body?.kind === "call" ? body.function : undefined;
      return { name, parameters, called, complexity: compiled.userFunctionComplexities?.[`f${index}`] };
    });
    expect(found).toEqual(rows.map((row) => complexityOf(row, version)));
  }
});

function bodiesOf(script: Script): readonly Expression[] {
  if (script.content !== "dApp") return [];
  return script.dApp.declarations.map((declaration) =>
    declaration.kind === "let" ? declaration.value : declaration.body,
  );
}

/** Values for sources before there were functions: one of each type. */
const samples: Readonly<Record<string, string>> = {
  Int: "height",
  Boolean: "true",
  ByteVector: "base58''",
  String: '""',
  "List[Int]": "tx.proofs",
  "List[ByteVector]": "tx.proofs",
  "Address|Alias": "Address(base58'')",
  "List[DataEntry]": "(match tx { case d: DataTransaction => d.data case _ => throw() })",
  "Int|Unit": "(if (true) then 1 else unit)",
  "ByteVector|Unit": "unit",
};

test("every function has the id and the cost that the reference compiler knows, in versions without functions", () => {
  for (const version of libraryVersions.filter((candidate) => candidate < functionsSince)) {
    const rows = rowsOf(version, "expression").filter(
      ({ name, result }) => !name.startsWith("$") && !name.startsWith("_") && result !== "Nothing",
    );
    const differences = rows.flatMap((row) => {
      const args = concreteTypes(row).map((type) => samples[type] ?? samples["Int"] ?? "");
      const compiled = compileSource(`{-# STDLIB_VERSION ${version} #-}\nlet r = ${callText(row, args)}\nr == r`);
      const script = parseScript(new Uint8Array(compiled.result));
      const call =
        script.content === "expression" && script.expression.kind === "block" && script.expression.declaration;
      const value = call && call.kind === "let" ? call.value : undefined;
      const called = value?.kind === "call" ? value.function : undefined;
      // The code around the call is priced by the same table.
      const { maximum } = estimateScript(script, { estimator: newest, hasVerifierLimit: false });
      const isSame = called === complexityOf(row, version).called && maximum === BigInt(compiled.complexity);
      return isSame ? [] : [{ version, name: row.name, called, maximum, compiled: compiled.complexity }];
    });
    expect(differences).toEqual([]);
  }
});
