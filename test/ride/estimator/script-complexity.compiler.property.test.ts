/**
 * Complexities as the compiler reports them: with its own rules ours must be equal, for dApps whose declarations use
 * each other in all ways. @source Waves: lang/script/ContractScript.scala (estimateFully)
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Estimator, estimateScript } from "../../../src/ride/estimator/script-complexity.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { compiler } from "../../support/builders/reference-compiler.ts";

const compilers: Estimator = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };

/** Value or function, with the numbers of the earlier declarations that it uses. */
const declaration = fc.record({
  kind: fc.constantFrom("let", "let", "let", "func"),
  uses: fc.array(fc.nat(), { maxLength: 7 }),
  local: fc.constantFrom("none", "none", "value", "function"),
});
const dApp = fc.record({
  declarations: fc.array(declaration, { minLength: 1, maxLength: 14 }),
  callables: fc.array(declaration, { minLength: 1, maxLength: 3 }),
  hasVerifier: fc.boolean(),
});

type Declared = typeof declaration extends fc.Arbitrary<infer Each> ? Each : never;

/** Sum of the used declarations; each name is an Int. */
function sum({ uses, local }: Declared, before: readonly string[], own: string): string {
  const terms = uses.map((use) => before[use % Math.max(1, before.length)] ?? "height");
  const total = ["1", own, ...terms].filter((term) => term !== "").join(" + ");
  const [first] = terms;
  if (local === "none" || first === undefined) return total;
  const declared = local === "value" ? `let here = ${first}` : `func here(b: Int) = b + ${first}`;
  return `{ ${declared}\n here${local === "value" ? "" : "(1)"} + ${total} }`;
}

function sourceOf({
  declarations,
  callables,
  hasVerifier,
}: typeof dApp extends fc.Arbitrary<infer Each> ? Each : never) {
  const lines = ["{-# STDLIB_VERSION 5 #-}", "{-# CONTENT_TYPE DAPP #-}", "{-# SCRIPT_TYPE ACCOUNT #-}"];
  const names: string[] = [];
  for (const [index, each] of declarations.entries()) {
    if (each.kind === "let") lines.push(`let value${index} = ${sum(each, names, "")}`);
    else lines.push(`func sum${index}(a: Int) = ${sum(each, names, "a")}`);
    names.push(each.kind === "let" ? `value${index}` : `sum${index}(${names.at(-1) ?? 2})`);
  }
  for (const [index, each] of callables.entries())
    lines.push("@Callable(i)", `func call${index}(a: Int) = [IntegerEntry("k", ${sum(each, names, "a")})]`);
  if (hasVerifier) lines.push("@Verifier(tx)", `func verify() = ${names.at(-1)} > 0`);
  return `${lines.join("\n")}\n`;
}

test("in one go every dApp has the complexity that its compiler reports", () => {
  fc.assert(
    fc.property(dApp, (parts) => {
      const source = sourceOf(parts);
      const compiled = compiler.compile(source, 3, false, false, {});
      // Some are too complex, or have functions that hide others during the estimate.
      fc.pre(compiled.result !== undefined);
      const script = parseScript(new Uint8Array(compiled.result as ArrayBuffer));
      const { verifier, callables } = estimateScript(script, {
        estimator: compilers,
        hasVerifierLimit: true,
        isInOneGo: true,
      });
      const own = { verifier: Number(verifier), ...Object.fromEntries([...callables].map(([k, v]) => [k, Number(v)])) };
      expect(own, source).toEqual({ verifier: compiled.verifierComplexity, ...compiled.callableComplexities });
    }),
    { numRuns: 100 },
  );
});
