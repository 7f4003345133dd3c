/** Scripts that try to exceed their limits of time, memory and stack. */
import { describe, expect, it } from "vitest";
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import { type JsonValue, jsonText } from "../../../src/protocol/json.ts";
import { decompile } from "../../../src/ride/decompiler/decompile.ts";
import { estimateScript } from "../../../src/ride/estimator/script-complexity.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { call, choose, constant, get, letIn, ref } from "../../../src/ride/functions/tree.ts";
import { encodeCallRecord, parseCallRecord } from "../../../src/ride/results/call-record.ts";
import { emptyCallResult } from "../../../src/ride/results/call-result.ts";
import { callResultJson } from "../../../src/ride/results/call-result-json.ts";
import type { Expression } from "../../../src/ride/script/expression.ts";
import { encodeScript, parseScript } from "../../../src/ride/script/script-bytes.ts";
import { treeText } from "../../../src/ride/script/tree-text.ts";
import { Text } from "../../../src/ride/values/text.ts";
import {
  BigInteger,
  equalValues,
  List,
  MAX_WEIGHT,
  Structure,
  tupleOf,
  typeNameOf,
  type Value,
  weightOf,
} from "../../../src/ride/values/value.ts";
import { valueJson } from "../../../src/ride/values/value-json.ts";
import { logText, valueText } from "../../../src/ride/values/value-text.ts";
import { measureNatives } from "../../../verification/bench/parts/native-costs.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";
import { processorClock } from "../../support/fixtures/processor-time.ts";

const libraryVersion = 6;
const complexityLimit = 52_000;
const estimator = { fixesOverflow: true, hasOverhead: false, fixesArguments: true };
const linkOptions = { libraryVersion, content: "dApp", guards: "account", chainId: 82, hasLexicalScope: true } as const;
const rules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: true,
  hasSynchronousCallFixes: true,
};
const unknownAddress = addressOfPublicKeyHash(new Uint8Array(20), linkOptions.chainId);
const plus = 100;
const cons = 1100;
const joinStrings = 300;
const joinLists = 1102;
const timesBig = 313;
const divideBig = 314;
/** Limit of processor time, ms; most scripts take a tenth of it. */
const waitTimeoutMs = 20_000;
const patienceMegabytes = 300;

type Ending = { readonly value: Value | undefined } | { readonly error: string };

function run(expression: Expression): Ending {
  const request = { environment: pureEnvironment(), rules, complexityLimit };
  const [elapsedMs, startBytes] = [processorClock(), process.memoryUsage().heapUsed];
  try {
    return { value: evaluate(expression, linkOptions, request).value };
  } catch (error) {
    if (error instanceof ScriptError) return { error: error.message };
    throw error;
  } finally {
    expect(elapsedMs()).toBeLessThan(waitTimeoutMs);
    expect((process.memoryUsage().heapUsed - startBytes) / 2 ** 20).toBeLessThan(patienceMegabytes);
  }
}

function repeated(
  times: number,
  first: Expression,
  wrap: (inner: Expression, index: number) => Expression,
): Expression {
  let expression = first;
  for (let index = 0; index < times; index++) expression = wrap(expression, index);
  return expression;
}

/** Values each of which uses the one before. */
function chain(
  length: number,
  first: Expression,
  next: (before: Expression) => Expression,
  last: Expression,
): Expression {
  let expression = last;
  for (let index = length; index > 0; index--) expression = letIn(`v${index}`, next(ref(`v${index - 1}`)), expression);
  return letIn("v0", first, expression);
}

describe("a tree that nests to the maximum size of a script", () => {
  const depth = 20_000;
  const one = constant(1n);
  const trees: Readonly<Record<string, Expression>> = {
    calls: repeated(depth, one, (inner) => call(plus, inner, one)),
    "calls to the right": repeated(depth, one, (inner) => call(plus, one, inner)),
    choices: repeated(depth, constant(true), (inner) => choose(inner, constant(true), constant(false))),
    getters: repeated(depth, ref("unit"), (inner) => get(inner, "x")),
    values: repeated(depth, one, (inner, index) => letIn(`v${index}`, one, inner)),
    "values in values": repeated(depth, one, (inner, index) => letIn(`v${index}`, inner, ref(`v${index}`))),
    functions: repeated(depth, one, (inner, index) => ({
      kind: "block",
      declaration: { kind: "function", name: `f${index}`, parameters: [], body: inner },
      body: call(`f${index}`),
      isLetBlock: false,
    })),
    lists: repeated(depth, ref("nil"), (inner) => call(cons, one, inner)),
  };

  it.each(Object.keys(trees))("%s: is read, written, printed, estimated and evaluated without recursion", (name) => {
    const expression = trees[name] as Expression;
    const script = { content: "expression", libraryVersion, expression } as const;
    const bytes = encodeScript(script);
    const parsed = parseScript(bytes);
    expect(encodeScript(parsed)).toEqual(bytes);
    expect(treeText(parsed).length).toBeGreaterThan(depth);
    for (const use of [
      () => decompile(parsed),
      () => estimateScript(parsed, { estimator, hasVerifierLimit: false }),
      () => run(expression),
    ]) {
      try {
        use();
      } catch (error) {
        expect(error).not.toBeInstanceOf(RangeError);
        expect((error as Error).name).toMatch(/^(SourceTooLarge|EstimationError)$/);
      }
    }
  });
});

describe("an endless script", () => {
  it("two calls of the previous function in each function: ended by complexity", () => {
    const declarations = Array.from({ length: 60 }, (_, index) => index);
    const whole = declarations.reduceRight<Expression>(
      (body, index) => ({
        kind: "block",
        declaration: {
          kind: "function",
          name: `f${index}`,
          parameters: ["x"],
          body:
            index === 0
              ? call(plus, ref("x"), constant(1n))
              : call(plus, call(`f${index - 1}`, ref("x")), call(`f${index - 1}`, ref("x"))),
        },
        body,
        isLetBlock: false,
      }),
      call("f59", constant(0n)),
    );
    expect(run(whole)).toEqual({ value: undefined });
  });

  it("strings that double: ended by the limit of a value", () => {
    const doubled = chain(40, constant("0123456789"), (before) => call(joinStrings, before, before), ref("v40"));
    expect(run(doubled)).toEqual({ error: "String size = 40960 exceeds 32767 bytes" });
  });

  it("thousands of strings of the largest size: bounded by complexity and memory", () => {
    const largest = constant(new Text("x".repeat(32_766)));
    const all = chain(
      2_000,
      largest,
      (before) => call(303, call(joinStrings, before, constant("y")), constant(32_766n)),
      ref("v2000"),
    );
    run(all);
  });

  it("lists that double: ended by the limit of their length", () => {
    const first = constant(new List(Array.from({ length: 10 }, () => 1n)));
    const doubled = chain(40, first, (before) => call(joinLists, before, before), ref("v40"));
    expect(run(doubled)).toEqual({ error: "List size should not exceed 1000" });
  });

  it("lists in lists that double: ended by the limit of their weight", () => {
    const first = constant(new Text("x".repeat(1_000)));
    const pair = (before: Expression): Expression => call(cons, before, call(cons, before, ref("nil")));
    const doubled = chain(60, first, pair, ref("v60"));
    expect(run(doubled)).toEqual({ error: expect.stringContaining("too heavy") });
  });

  it("BigInts that are squared: ended by the limit of 512 bits", () => {
    const squared = chain(40, constant(new BigInteger(3n)), (before) => call(timesBig, before, before), ref("v40"));
    expect(run(squared)).toEqual({ error: expect.stringContaining("out of range") });
  });

  it("the largest BigInts multiplied and divided until complexity runs out", () => {
    const largest = constant(new BigInteger(2n ** 255n - 19n));
    const next = (before: Expression): Expression => call(divideBig, call(timesBig, before, largest), largest);
    run(chain(4_000, largest, next, ref("v4000")));
  });
});

describe("native functions", () => {
  it("none takes so long for its complexity that it would delay a block", () => {
    const [slowest] = measureNatives({ repetitions: 3, isChosen: (name) => !/_([2-9]|1[0-4])inputs/.test(name) });
    // Microseconds for a unit; a hundred times the need of an idle machine.
    expect((slowest?.microseconds ?? 0) / (slowest?.complexity ?? 1)).toBeLessThan(5_000);
  });
});

describe("a value that nests to its maximum weight", () => {
  const nested = (depth: number, around: (inner: Value) => Value): Value => {
    let value: Value = 1n;
    for (let level = 0; level < depth; level++) value = around(value);
    return value;
  };
  const values: Readonly<Record<string, () => Value>> = {
    tuples: () => nested(3_150, (inner) => tupleOf(1n, inner)),
    lists: () => nested(8_600, (inner) => new List([inner])),
    objects: () => nested(4_900, (inner) => new Structure("Entry", new Map([["value", inner]]))),
  };

  it.each(Object.keys(values))("%s: is printed, shown, compared and stored without recursion", (name) => {
    const make = values[name] as () => Value;
    const value = make();
    expect(weightOf(value)).toBeGreaterThan(MAX_WEIGHT * 0.95);
    expect(weightOf(value)).toBeLessThanOrEqual(MAX_WEIGHT);
    expect(valueText(value).length).toBeGreaterThan(8_600);
    expect(logText(value, 1, 1_000).length).toBeLessThan(2_000);
    expect(typeNameOf(value)).toBeTypeOf("string");
    expect(equalValues(value, make())).toBe(true);
    const invokes = [{ dApp: unknownAddress, function: "f", args: [value], payments: [], result: emptyCallResult }];
    const { result } = parseCallRecord(encodeCallRecord({ result: { ...emptyCallResult, invokes } }), 82);
    const shown = jsonText(valueJson(value));
    expect(shown).toContain("nests too deep to be shown");
    expect(jsonText(callResultJson(result)["invokes"] as JsonValue)).toContain(shown);
  });
});
