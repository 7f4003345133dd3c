/** Compiles sources of a library version to trees, by the reference compiler. */
import type { CompiledScript } from "@waves/ride-lang";
import { loadCompiler } from "../../../src/ride/compiler/load-compiler.ts";

export const compiler = await loadCompiler();

/** With the newest estimator. @throws Error with the compiler's message */
export function compileSource(source: string, { compacts = false } = {}): CompiledScript {
  const outcome = compiler.compile(source, 3, compacts, false, {});
  if (outcome.result === undefined) throw new Error(outcome.error);
  return outcome;
}
