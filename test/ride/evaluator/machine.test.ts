import { describe, expect, test } from "vitest";
import { cachedProgram, DAppProgram } from "../../../src/ride/evaluator/dapp-program.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { EvaluationLog } from "../../../src/ride/evaluator/evaluation-log.ts";
import type { LinkOptions } from "../../../src/ride/evaluator/linker.ts";
import type { EvaluationRules } from "../../../src/ride/evaluator/machine.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { ScriptNotSupported } from "../../../src/ride/execution-error.ts";
import { call, choose, constant, get, letIn, ref } from "../../../src/ride/functions/tree.ts";
import { type Invocation, knownId } from "../../../src/ride/objects/invocation.ts";
import { addressObject } from "../../../src/ride/objects/recipients.ts";
import type { DApp, Expression } from "../../../src/ride/script/expression.ts";
import { encodeScript } from "../../../src/ride/script/script-bytes.ts";
import { List, Structure, textValue, type Value } from "../../../src/ride/values/value.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const ADD = 100;
const linkOptions: LinkOptions = {
  libraryVersion: 6,
  content: "dApp",
  guards: "account",
  chainId: 82,
  hasLexicalScope: true,
};
const rules: EvaluationRules = {
  isNewMode: true,
  hasFixedThrownError: true,
  checksConstructorArguments: false,
  hasSynchronousCallFixes: true,
};

function run(expression: Expression, options: Partial<LinkOptions & EvaluationRules & { limit: number }> = {}) {
  const { limit = 52_000 } = options;
  const { value, unusedComplexity } = evaluate(
    expression,
    { ...linkOptions, ...options },
    { environment: pureEnvironment(), rules: { ...rules, ...options }, complexityLimit: limit },
  );
  return { value, spent: limit - unusedComplexity };
}

function errorOf(action: () => unknown): ScriptError {
  try {
    action();
  } catch (error) {
    if (error instanceof ScriptError) return error;
    throw error;
  }
  throw new Error("no error");
}

function functionIn(name: string, parameters: string[], body: Expression, then: Expression): Expression {
  return { kind: "block", declaration: { kind: "function", name, parameters, body }, body: then, isLetBlock: false };
}

const zero: Expression = constant(0n);
const one: Expression = constant(1n);

test("a value is evaluated once, on its first use, and never without one", () => {
  const costly = call(ADD, one, one);
  expect(run(letIn("a", costly, call(ADD, ref("a"), ref("a"))))).toEqual({ value: 4n, spent: 2 });
  expect(run(letIn("a", call(2, constant("never")), one))).toEqual({ value: 1n, spent: 0 });
});

test("in the old mode references, choices and getters cost 1, functions of the script nothing", () => {
  const expression = letIn("a", one, choose(constant(true), call("f", ref("a")), zero));
  const old = { isNewMode: false };
  expect(run(functionIn("f", ["x"], ref("x"), expression), old)).toEqual({ value: 1n, spent: 3 });
  expect(run(functionIn("f", ["x"], ref("x"), expression))).toEqual({ value: 1n, spent: 1 });
});

test("functions see the names around their declaration; in the old scope those around their call", () => {
  const expression = letIn("x", one, functionIn("f", [], ref("x"), letIn("x", constant(2n), call("f"))));
  expect(run(expression).value).toBe(1n);
  expect(run(expression, { hasLexicalScope: false }).value).toBe(2n);
});

test("a function does not see itself", () => {
  expect(errorOf(() => run(functionIn("f", [], call("f"), call("f")))).message).toBe("Function or type 'f' not found");
});

test("there is no value after complexity has run out, and the arguments after it still count", () => {
  const dear = call(500, constant(new Uint8Array(0)), constant(new Uint8Array(0)), constant(new Uint8Array(0)));
  expect(run(call(0, dear, call(ADD, one, one)), { limit: 100 })).toEqual({ value: undefined, spent: 2 });
  expect(run(call(ADD, one, one), { limit: 1 })).toEqual({ value: 2n, spent: 1 });
  expect(run(call(ADD, call(ADD, one, one), one), { limit: 1 })).toEqual({ value: undefined, spent: 1 });
});

test("evaluated values stay so after complexity has run out: another use costs 1 for each call that is too expensive", () => {
  const bytes = call(203, constant(new Uint8Array(0)), constant(new Uint8Array(0)));
  const dear = call(500, bytes, constant(new Uint8Array(0)), constant(new Uint8Array(0)));
  const uses = (times: number) =>
    letIn(
      "a",
      dear,
      Array.from({ length: times }, () => ref("a")).reduce((left, right) => call(0, left, right)),
    );
  const once = run(uses(1), { limit: 100 });
  expect(once.value).toBeUndefined();
  expect([2, 3, 4].map((times) => run(uses(times), { limit: 100 }).spent - once.spent)).toEqual([1, 2, 3]);
  const old = { limit: 100, isNewMode: false };
  expect(run(uses(3), old).spent).toBe(run(uses(1), old).spent);
});

test("an error has the complexity left when it happened", () => {
  const failing = call(ADD, call(ADD, one, one), call(105, one, zero));
  const error = errorOf(() => run(failing, { limit: 10 }));
  expect(error.message).toBe("/ by zero");
  expect(error.unusedComplexity).toBe(8);
});

test("a getter of a missing field resets the spent complexity, as in the reference", () => {
  const missing = get(constant(new Structure("X", new Map())), "missing");
  const expression = letIn("a", call(ADD, one, one), choose(call(0, ref("a"), zero), one, missing));
  const error = errorOf(() => run(expression, { limit: 10 }));
  expect(error.message).toBe("key not found: missing");
  expect(error.unusedComplexity).toBe(10);
});

test("a name of the script that composed functions use hides the library's", () => {
  const isDefined = call("isDefined", constant(5n));
  expect(run(isDefined).value).toBe(true);
  expect(run(letIn("unit", constant(5n), isDefined)).value).toBe(false);
});

test("an unsupported feature of the evaluator is a typed refusal", () => {
  const nothing = constant(new Uint8Array(0));
  // Calls of other dApps, if the environment makes none.
  expect(() => run(call(1020, nothing, nothing, nothing, nothing))).toThrow(ScriptNotSupported);
});

test("scripts that nest deeper than the stack run, in every direction", () => {
  const depth = 20_000;
  let nested = one;
  let chained: Expression = ref(`v${depth}`);
  for (let level = 0; level < depth; level++) nested = call(ADD, nested, one);
  for (let level = depth; level > 0; level--)
    chained = letIn(`v${level}`, call(ADD, ref(`v${level - 1}`), one), chained);
  expect(run(nested)).toEqual({ value: BigInt(depth + 1), spent: depth });
  expect(run(letIn("v0", zero, chained))).toEqual({ value: BigInt(depth), spent: depth });
});

test("the log has arguments and costs of calls, each value once, and an error once", () => {
  const log = new EvaluationLog();
  const failing = letIn("a", call(105, one, zero), letIn("b", ref("a"), ref("b")));
  const environment = pureEnvironment();
  expect(() => evaluate(failing, linkOptions, { environment, rules, complexityLimit: 10, log })).toThrow(ScriptError);
  expect(log.entries.map(({ name }) => name)).toEqual(["/.@args", "/.@complexity", "@complexityLimit", "a"]);
});

// Recorded of the reference (1.5.7): an expression that its limit of complexity ends, with the rest in the log.
test.each([
  [23, [13, 3, 1, 0, 12, 11, 10, 9, 8]],
  [22, [12, 2, 0, 11, 10, 9, 8, 7, 6]],
  [21, [11, 1, 10, 9, 8, 7, 6, 5]],
  [20, [10, 0, 8, 7, 7, 6, 5, 4, 3]],
])("if the body of a composed function lacks complexity within %d, it goes on at the next reference", (limit, left) => {
  const [CONS, GET_INTEGER_VALUE] = [1100, "@extrNative(1050)"];
  const pair = (name: string) => call(CONS, ref(name), call(CONS, ref(name), ref("nil")));
  const entry = call(GET_INTEGER_VALUE, constant(addressObject(someone)), constant(textValue("k")));
  const expression = letIn("x", entry, letIn("y", pair("x"), letIn("z", pair("y"), pair("z"))));
  const log = new EvaluationLog();
  const environment = { ...pureEnvironment(), findData: () => 5n };
  const result = evaluate(expression, linkOptions, { environment, rules, complexityLimit: limit, log });
  expect(result).toEqual({ value: undefined, unusedComplexity: left.at(-1) });
  const found = log.entries.flatMap(({ name, result }) => (name === "@complexityLimit" ? [Number(result)] : []));
  expect(found).toEqual(left);
});

const someone = new Uint8Array(26);
const invocation: Invocation = {
  caller: someone,
  callerPublicKey: new Uint8Array(32),
  originCaller: someone,
  originCallerPublicKey: new Uint8Array(32),
  transactionId: knownId(new Uint8Array(32)),
  feeWavelets: 500_000n,
  feeAssetId: null,
  payments: [{ assetId: null, amount: 7n }],
};
const dApp: DApp = {
  meta: { version: 0, functions: [], compactNames: [], originalNames: [] },
  declarations: [
    { kind: "let", name: "base", value: call(ADD, one, one) },
    { kind: "function", name: "inner", parameters: [], body: one },
  ],
  callables: [
    {
      argument: "i",
      function: {
        kind: "function",
        name: "sum",
        parameters: ["x"],
        body: call(ADD, call(ADD, ref("base"), ref("x")), get(ref("i"), "fee")),
      },
    },
  ],
  verifier: { argument: "tx", function: { kind: "function", name: "ask", parameters: ["t"], body: ref("t") } },
};

function invoke(name: string, args: readonly Value[]) {
  const program = new DAppProgram(dApp, linkOptions);
  return program.invoke(name, args, invocation, { environment: pureEnvironment(), rules, complexityLimit: 100 });
}

test("a callable sees the dApp's declarations, its arguments and the invocation", () => {
  expect(invoke("sum", [3n])).toEqual({ value: 500_005n, unusedComplexity: 97 });
});

test("unknown callables, callables that are no functions, and wrong numbers of arguments are refused", () => {
  expect(errorOf(() => invoke("other", [])).message).toBe("@Callable function 'other' doesn't exist in the script");
  expect(errorOf(() => invoke("inner", [])).message).toBe(
    "function 'inner exists in the script but is not marked as @Callable, therefore cannot not be invoked",
  );
  expect(errorOf(() => invoke("sum", [])).message).toBe("function 'sum takes 1 args but 0 were(was) given");
});

test("a verifier is given the transaction under both of its names", () => {
  const program = new DAppProgram(dApp, linkOptions);
  const transaction = new Structure("TransferTransaction", new Map());
  const request = { environment: pureEnvironment(), rules, complexityLimit: 100 };
  const { verifier } = program.dApp;
  expect(verifier && program.verify(verifier, transaction, request)).toEqual({
    value: transaction,
    unusedComplexity: 99,
  });
});

test("a verifier with the name of a callable is the one that runs, whichever was called before", () => {
  const named = (body: Expression) => ({
    argument: "i",
    function: { kind: "function", name: "same", parameters: ["x"], body } as const,
  });
  const program = new DAppProgram(
    { ...dApp, callables: [named(constant(true))], verifier: named(constant(false)) },
    linkOptions,
  );
  const request = { environment: pureEnvironment(), rules, complexityLimit: 100 };
  const { verifier } = program.dApp;
  expect(program.invoke("same", [1n], invocation, request).value).toBe(true);
  expect(verifier && program.verify(verifier, new Structure("Order", new Map()), request).value).toBe(false);
  expect(program.invoke("same", [1n], invocation, request).value).toBe(true);
});

describe("a callable with the name of a library function", () => {
  const callable = (name: string, parameters: string[]) => ({
    argument: "i",
    function: { kind: "function", name, parameters, body: constant(true) } as const,
  });
  const named = { ...dApp, callables: [callable("value", ["x"]), callable("1101", ["a", "b"])] };
  const program = new DAppProgram({ ...named, verifier: callable("isDefined", ["t"]) }, linkOptions);
  const request = { environment: pureEnvironment(), rules, complexityLimit: 100 };

  test("is called, and the library's function is executed", () => {
    expect(program.invoke("value", [7n], invocation, request)).toEqual({ value: 7n, unusedComplexity: 98 });
  });

  test("does not hide a verifier of the name, either", () => {
    const { verifier } = program.dApp;
    expect(verifier && program.verify(verifier, new Structure("Unit", new Map()), request).value).toBe(false);
  });

  test("is executed if its name is a number, unless the call names the native function of that number", () => {
    const items = new List([1n]);
    expect(program.invoke("1101", [items, 2n], invocation, request).value).toBe(true);
    expect(program.invoke(1101, [items, 2n], invocation, request).value).toEqual(new List([1n, 2n]));
  });

  test("logs the invocation once, though the library's function asks for a value of its name", () => {
    const log = new EvaluationLog();
    const program = new DAppProgram(
      { ...dApp, callables: [{ ...callable("isDefined", ["x"]), argument: "unit" }] },
      linkOptions,
    );
    program.invoke("isDefined", [7n], invocation, { ...request, log });
    const names = log.entries.map(({ name }) => name);
    expect(names.slice(0, 3)).toEqual(["@invokedFuncName", "unit", "isDefined.@args"]);
    expect(names.filter((name) => name === "unit")).toHaveLength(1);
  });
});

test("a program is cached by the hash of its script, one for each meaning of its names", () => {
  const bytes = encodeScript({ content: "dApp", libraryVersion: 6, dApp });
  const program = cachedProgram(bytes, linkOptions);
  expect(program).toBeInstanceOf(DAppProgram);
  expect(cachedProgram(bytes.slice(), { ...linkOptions })).toBe(program);
  expect(cachedProgram(bytes, { ...linkOptions, hasLexicalScope: false })).not.toBe(program);
  const expression = encodeScript({ content: "expression", libraryVersion: 6, expression: one });
  expect(cachedProgram(expression, linkOptions)).toBeUndefined();
});
