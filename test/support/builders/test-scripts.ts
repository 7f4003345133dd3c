/** Scripts for tests of rules: sources compiled by the reference compiler, and trees that no compiler would accept. */
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import type { AnnotatedFunction, DApp, Declaration, Expression } from "../../../src/ride/script/expression.ts";
import { encodeScript } from "../../../src/ride/script/script-bytes.ts";
import { Text } from "../../../src/ride/values/text.ts";
import type { Value } from "../../../src/ride/values/value.ts";
import { compileSource } from "./reference-compiler.ts";

interface SourceOptions {
  readonly version?: number;
  readonly content?: "EXPRESSION" | "DAPP";
  readonly of?: "ACCOUNT" | "ASSET";
}

/** Script of the source, by default a verifier of an account in version 6. */
export function scriptOf(
  source: string,
  { version = 6, content = "EXPRESSION", of = "ACCOUNT" }: SourceOptions = {},
): Script {
  const directives = [`STDLIB_VERSION ${version}`, `CONTENT_TYPE ${content}`, `SCRIPT_TYPE ${of}`];
  const head = directives.map((directive) => `{-# ${directive} #-}`).join("\n");
  return new Uint8Array(compileSource(`${head}\n${source}`).result) as Script;
}

export function assetScriptOf(source: string, version = 6): Script {
  return scriptOf(source, { version, of: "ASSET" });
}

export function dAppOf(source: string, version = 6): Script {
  return scriptOf(source, { version, content: "DAPP" });
}

/** Script that is only this value. */
export function constantScript(value: Value, libraryVersion = 6): Script {
  return treeScript({ kind: "constant", value }, libraryVersion);
}

export function treeScript(expression: Expression, libraryVersion = 6): Script {
  return encodeScript({ content: "expression", libraryVersion, expression }) as Script;
}

interface DAppParts {
  readonly callable?: Expression;
  /** Default: `call`. */
  readonly callableName?: string;
  /** Body of the function `verify`. */
  readonly verifier?: Expression;
  readonly declarations?: readonly Declaration[];
}

/** dApp of one callable and a verifier, if they are given. */
export function treeDApp(parts: DAppParts, libraryVersion = 6): Script {
  const functionOf = (name: string, body: Expression): AnnotatedFunction => ({
    argument: "i",
    function: { kind: "function", name, parameters: [], body },
  });
  const dApp: DApp = {
    meta: { version: 0, functions: [], compactNames: [], originalNames: [] },
    declarations: parts.declarations ?? [],
    callables: parts.callable === undefined ? [] : [functionOf(parts.callableName ?? "call", parts.callable)],
    verifier: parts.verifier && functionOf("verify", parts.verifier),
  };
  return encodeScript({ content: "dApp", libraryVersion, dApp }) as Script;
}

const noBytes: Expression = { kind: "constant", value: new Uint8Array(0) };
const yes: Expression = { kind: "constant", value: true };
const no: Expression = { kind: "constant", value: false };

/**
 * `times` signature checks, which cost 100 each up to version 3 and 180 in version 6: compilers refuse a script that is
 * too complex.
 */
export function costlyTree(times: number, last: Expression = yes): Expression {
  const check: Expression = { kind: "call", function: 500, args: [noBytes, noBytes, noBytes] };
  let tree = last;
  for (let count = 0; count < times; count++) tree = { kind: "if", condition: check, ifTrue: no, ifFalse: tree };
  return tree;
}

export function thrown(message: string): Expression {
  return { kind: "call", function: 2, args: [{ kind: "constant", value: new Text(message) }] };
}
