import { expect, test } from "vitest";
import { EstimationError } from "../../../src/ride/estimator/estimation-error.ts";
import { type Estimator, estimateScript } from "../../../src/ride/estimator/script-complexity.ts";
import type { Expression, Script } from "../../../src/ride/script/expression.ts";
import { parseScript } from "../../../src/ride/script/script-bytes.ts";
import { recordedLines } from "../../support/fixtures/recorded-lines.ts";

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

function estimateText(script: Script, estimator: Estimator, hasVerifierLimit: boolean): string {
  try {
    const { verifier, maximum, callables } = estimateScript(script, { estimator, hasVerifierLimit });
    const sorted = [...callables].sort(([left], [right]) => (left < right ? -1 : 1));
    return `R ${verifier} ${maximum} ${sorted.map(([name, cost]) => `${name}=${cost}`).join(",")}`;
  } catch (error) {
    if (error instanceof EstimationError) return `L ${error.message}`;
    throw error;
  }
}

test("every estimator gives the reference's result for every recorded script", () => {
  const vectors = recordedLines<Vector>("ride/complexities.jsonl.gz");
  expect(vectors.flatMap(({ results }) => Object.keys(results))).toHaveLength(1_080);
  for (const { script, results } of vectors) {
    const parsed = parseScript(new Uint8Array(Buffer.from(script, "base64")));
    for (const [key, expected] of Object.entries(results)) {
      const [estimator, hasVerifierLimit] = key.split(" ") as [string, string];
      expect(estimateText(parsed, estimatorOf(estimator), hasVerifierLimit === "true"), key).toBe(expected);
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
  expect(estimateText(script, current, true)).toBe("L DApp-to-dApp invocations are not allowed from verifier");
});

test("a verifier with calls that differ in their number of arguments alone is estimated as far as sets tell them apart", () => {
  const estimateOf = (base64: string) =>
    estimateText(parseScript(new Uint8Array(Buffer.from(base64, "base64"))), current, true);
  // `if f() then f(true) else true`: comparing the calls throws an exception in the reference.
  const uneven =
    "AAIFAAAAAAAAAAAAAAABAQAAAAFmAAAAAAYAAAAAAAAAAQAAAAJ0eAEAAAAGdmVyaWZ5AAAAAQAAAAJ0eAMJAQAAAAFmAAAAAAkBAAAAAWYAAAABBgYNUlK9";
  expect(estimateOf(uneven)).toBe("L head of empty list");
  // The block that calls `k`, which calls a dApp, is taken for one that hides `k`.
  const mistaken =
    "AAIFAAAAAAAAAAAAAAACAQAAAAFnAAAAAAYBAAAAAWsAAAAACQAD/AAAAAQFAAAABHRoaXMFAAAABHVuaXQFAAAAA25pbAUAAAADbmlsAAAAAAAAAAEAAAACdHgBAAAABnZlcmlmeQAAAAEAAAACdHgDBAAAAAFrCQEAAAABZwAAAAAJAQAAAAFrAAAAAQUAAAAGaGVpZ2h0BAAAAAFrCQEAAAABZwAAAAEJAQAAAAFrAAAAAAUAAAAGaGVpZ2h0BpqaZD8=";
  expect(estimateOf(mistaken)).toBe("R 75 75 ");
});

test("the first estimator wraps the cost of a function before it compares it", () => {
  const declare = (name: string, parameters: readonly string[], value: Expression, body: Expression): Expression => ({
    kind: "block",
    isLetBlock: false,
    declaration: { kind: "function", name, parameters, body: value },
    body,
  });
  const callOf = (name: string | number, ...args: Expression[]): Expression => ({ kind: "call", function: name, args });
  const one: Expression = { kind: "constant", value: 1n };
  const condition: Expression = { kind: "constant", value: true };
  let expression: Expression = { kind: "if", condition, ifTrue: callOf("g"), ifFalse: one };
  expression = declare("g", ["a"], callOf("f62"), expression);
  for (let level = 62; level > 0; level--) {
    const below = callOf(`f${level - 1}`);
    expression = declare(`f${level}`, [], callOf(100, below, below), expression);
  }
  expression = declare("f0", [], one, expression);
  expect(estimateText({ content: "expression", libraryVersion: 3, expression }, 1, true)).toBe("R 323 323 ");
});

test("scripts that nest deeper than the stack are estimated", () => {
  let expression: Expression = { kind: "constant", value: 0n };
  for (let depth = 0; depth < 50_000; depth++) {
    expression = { kind: "call", function: 100, args: [expression, { kind: "constant", value: 1n }] };
  }
  for (const estimator of [1, 2, current] as const) {
    expect(estimateText({ content: "expression", libraryVersion: 3, expression }, estimator, true)).toMatch(
      /^L Script is too complex: \d+ > 2000$/,
    );
  }
});

/** Seventy signatures: complexity 14,000. */
function dearDApp(names: readonly string[]): Script {
  const empty: Expression = { kind: "constant", value: new Uint8Array() };
  const check: Expression = { kind: "call", function: 500, args: [empty, empty, empty] };
  const always: Expression = { kind: "constant", value: true };
  const body = Array.from({ length: 70 }, () => check).reduce<Expression>(
    (rest, condition) => ({ kind: "if", condition, ifTrue: always, ifFalse: rest }),
    always,
  );
  const callables = names.map((name) => ({
    argument: "i",
    function: { kind: "function" as const, name, parameters: [], body },
  }));
  const meta = { version: 0, functions: [], compactNames: [], originalNames: [] };
  return {
    content: "dApp",
    libraryVersion: 5,
    dApp: { meta, declarations: [], callables, verifier: undefined },
  };
}

const seven = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"];

test.each([
  { names: ["first", "second"], isInOneGo: false, named: "second" },
  { names: ["first", "second"], isInOneGo: true, named: "second" },
  { names: seven, isInOneGo: false, named: "eta" },
  { names: seven, isInOneGo: true, named: "beta" },
])("of $names.length callables that cost too much alike the last one is reported (in one go: $isInOneGo)", (each) => {
  const rules = { estimator: current, hasVerifierLimit: false, isInOneGo: each.isInOneGo };
  expect(() => estimateScript(dearDApp(each.names), rules)).toThrow(
    `Contract function (${each.named}) is too complex: 14000 > 10000`,
  );
});

const something: Expression = { kind: "constant", value: true };

test.each([5, 6, 7, 8])("an expression of version %i for any account may call dApps", (libraryVersion) => {
  for (const called of [1020, 1021]) {
    const expression: Expression = { kind: "call", function: called, args: [] };
    const script: Script = { content: "expression", libraryVersion, expression };
    const rules = { estimator: current, hasVerifierLimit: false };
    expect(estimateScript(script, { ...rules, isOwnerUnknown: true }).verifier).toBe(75n);
    expect(() => estimateScript(script, rules)).toThrow(`function 'Native(${called})' not found`);
  }
});

test.each([
  { libraryVersion: 1, anybodys: 12n },
  { libraryVersion: 2, anybodys: 13n },
  { libraryVersion: 3, anybodys: 13n },
])(
  "in version $libraryVersion a transfer of any account costs $anybodys, an account's 13",
  ({ libraryVersion, anybodys }) => {
    const expression: Expression = { kind: "call", function: "TransferTransaction", args: [something] };
    const script: Script = { content: "expression", libraryVersion, expression };
    const rules = { estimator: current, hasVerifierLimit: false };
    expect(estimateScript(script, { ...rules, isOwnerUnknown: true }).verifier).toBe(anybodys);
    expect(estimateScript(script, rules).verifier).toBe(13n);
  },
);
