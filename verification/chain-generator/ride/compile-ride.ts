/** Compiler for the scripts of generated chains. */
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import { loadCompiler } from "../../../src/ride/compiler/load-compiler.ts";

const compiler = await loadCompiler();
const newestEstimator = 3;
const compiled = new Map<string, Script>();

/** @throws Error with the compiler's message and the source */
export function compileRide(source: string): Script {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const outcome = compiler.compile(source, newestEstimator, false, false, {});
  if (outcome.result === undefined) throw new Error(`${outcome.error}\n${source}`);
  const script = new Uint8Array(outcome.result) as Script;
  compiled.set(source, script);
  return script;
}

export function directives(
  version: number,
  contentType: "EXPRESSION" | "DAPP",
  scriptType: "ACCOUNT" | "ASSET",
): string {
  const lines = [`STDLIB_VERSION ${version}`, `CONTENT_TYPE ${contentType}`, `SCRIPT_TYPE ${scriptType}`];
  return lines.map((line) => `{-# ${line} #-}\n`).join("");
}
