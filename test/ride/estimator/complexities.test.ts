import { expect, test } from "vitest";
import { EstimationError } from "../../../src/ride/estimator/estimation-error.ts";
import { type Estimator, estimateScript } from "../../../src/ride/estimator/script-complexity.ts";
import type { Expression, Script } from "../../../src/ride/script/expression.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { recordedLines } from "../../recorded-lines.ts";

interface Vector {
  readonly script: string;
  readonly results: Readonly<Record<string, string>>;
}

const current: Estimator = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };

function estimatorOf(name: string): Estimator {
  if (name === "1" || name === "2") return name === "1" ? 1 : 2;
  const [, fixesOverflow, hasOverhead, fixesArguments] = name.split(":").map((part) => part === "true");
  return {
    fixesOverflow: fixesOverflow === true,
    hasOverhead: hasOverhead === true,
    fixesArguments: fixesArguments === true,
  };
}

function told(script: Script, estimator: Estimator, hasVerifierLimit: boolean): string {
  try {
    const { verifier, maximum, callables } = estimateScript(script, { estimator, hasVerifierLimit });
    const sorted = [...callables].sort(([left], [right]) => (left < right ? -1 : 1));
    return `R ${verifier} ${maximum} ${sorted.map(([name, cost]) => `${name}=${cost}`).join(",")}`;
  } catch (error) {
    if (error instanceof EstimationError) return `L ${error.message}`;
    throw error;
  }
}

test("every estimator tells of every recorded script what the reference's does", () => {
  const vectors = recordedLines<Vector>("ride/complexities.jsonl.gz");
  expect(vectors.flatMap(({ results }) => Object.keys(results))).toHaveLength(1_080);
  for (const { script, results } of vectors) {
    const parsed = parseScript(new Uint8Array(Buffer.from(script, "base64")));
    for (const [key, expected] of Object.entries(results)) {
      const [estimator, hasVerifierLimit] = key.split(" ") as [string, string];
      expect(told(parsed, estimatorOf(estimator), hasVerifierLimit === "true"), key).toBe(expected);
    }
  }
});

test("a verifier that reaches a call of a dApp has no complexity", () => {
  const nothing: Expression = { kind: "reference", name: "nil" };
  const invoke: Expression = { kind: "call", function: 1020, args: [nothing, nothing, nothing, nothing] };
  const script: Script = {
    content: "dApp",
    libraryVersion: 5,
    dApp: {
      meta: { version: 0, functions: [], compactNames: [], originalNames: [] },
      declarations: [{ kind: "let", name: "hidden", value: invoke }],
      callables: [],
      verifier: {
        argument: "tx",
        function: { kind: "function", name: "verify", parameters: [], body: { kind: "reference", name: "hidden" } },
      },
    },
  };
  expect(told(script, current, true)).toBe("L DApp-to-dApp invocations are not allowed from verifier");
});

test("scripts that nest deeper than the stack are estimated", () => {
  let expression: Expression = { kind: "constant", value: 0n };
  for (let depth = 0; depth < 50_000; depth++) {
    expression = { kind: "call", function: 100, args: [expression, { kind: "constant", value: 1n }] };
  }
  for (const estimator of [1, 2, current] as const) {
    expect(told({ content: "expression", libraryVersion: 3, expression }, estimator, true)).toMatch(
      /^L Script is too complex: \d+ > 2000$/,
    );
  }
});
