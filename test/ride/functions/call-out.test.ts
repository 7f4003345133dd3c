/** Calls of other dApps: arguments of `invoke` for the environment. @source Waves: waves/Functions.scala (callDAppF) */
import { describe, expect, it } from "vitest";
import { CallFailure } from "../../../src/ride/call-failure.ts";
import type { DAppCall } from "../../../src/ride/evaluator/environment.ts";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { ScriptError } from "../../../src/ride/evaluator/script-error.ts";
import { call, constant } from "../../../src/ride/functions/tree.ts";
import { Text } from "../../../src/ride/values/text.ts";
import { List, Structure, unit, type Value } from "../../../src/ride/values/value.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const invoke = 1020;
const reentrantInvoke = 1021;
const limit = 1_000;
const price = 75;
const bytes = new Uint8Array(26).fill(1);
const address = new Structure("Address", new Map([["bytes", bytes]]));
const none = new List([]);
const payment = (assetId: Value, amount: Value) =>
  new Structure(
    "AttachedPayment",
    new Map([
      ["assetId", assetId],
      ["amount", amount],
    ]),
  );

function run(
  id: number,
  args: readonly Value[],
  callDApp: (request: DAppCall) => { value: Value; spentComplexity: number },
  hasFixedThrownError = true,
) {
  const linkOptions = {
    libraryVersion: 6,
    content: "dApp",
    guards: "account",
    chainId: 82,
    hasLexicalScope: true,
  } as const;
  const rules = {
    isNewMode: true,
    hasFixedThrownError,
    checksConstructorArguments: false,
    hasSynchronousCallFixes: true,
  };
  const environment = { ...pureEnvironment(), callDApp };
  const expression = call(id, ...args.map((value) => constant(value as Uint8Array)));
  return evaluate(expression, linkOptions, { environment, rules, complexityLimit: limit });
}

function failureOf(args: readonly Value[], options: { fixed?: boolean; fail?: () => never } = {}): ScriptError {
  try {
    run(invoke, args, options.fail ?? (() => ({ value: unit, spentComplexity: 0 })), options.fixed ?? true);
  } catch (error) {
    if (error instanceof ScriptError) return error;
    throw error;
  }
  throw new Error("no failure");
}

describe("a call", () => {
  it("passes the address, the function, its arguments and payments", () => {
    const asset = new Uint8Array(32).fill(2);
    const requests: DAppCall[] = [];
    const payments = new List([payment(asset, 5n), payment(unit, 6n)]);
    run(invoke, [address, new Text("f"), new List([1n]), payments], (request) => {
      requests.push(request);
      return { value: 7n, spentComplexity: 0 };
    });
    expect(requests).toEqual([
      {
        dApp: bytes,
        function: "f",
        args: [1n],
        payments: [
          { assetId: asset, amount: 5n },
          { assetId: null, amount: 6n },
        ],
        isReentrant: false,
        availableComplexity: limit - price,
      },
    ]);
  });

  it("without a function calls the default one, and may be reentrant", () => {
    run(reentrantInvoke, [address, unit, none, none], (request) => {
      expect(request).toMatchObject({ function: "default", isReentrant: true });
      return { value: unit, spentComplexity: 0 };
    });
  });

  it("costs its price and the other dApp's spent complexity", () => {
    const { value, unusedComplexity } = run(invoke, [address, unit, none, none], () => ({
      value: 9n,
      spentComplexity: 300,
    }));
    expect(value).toBe(9n);
    expect(unusedComplexity).toBe(limit - price - 300);
  });

  it("that fails has the message of the failure", () => {
    const fail = (): never => {
      throw new CallFailure("boom", 123, { cause: undefined });
    };
    expect(failureOf([address, unit, none, none], { fail })).toMatchObject({ message: "boom", unusedComplexity: 123 });
  });
});

describe("wrong arguments", () => {
  it.each<[readonly Value[], string]>([
    [[1n, unit, none, none], "Unexpected recipient arg 1"],
    [[new Structure("Address", new Map([["bytes", 1n]])), unit, none, none], "Unexpected address bytes Some(1)"],
    [[address, 1n, none, none], "Unexpected name arg 1"],
    [[address, unit, none, new List([1n])], "Unexpected payment arg 1"],
    [[address, unit, none, new List([payment(1n, 2n)])], "Unexpected payment args List(1, 2)"],
    [[address, unit, none, 5n], /^Unexpected args List\(/ as unknown as string],
  ])("%# are reported", (args, text) => {
    const { message, unusedComplexity } = failureOf(args);
    expect(message).toMatch(text);
    expect(unusedComplexity).toBe(limit - price);
  });

  it("that are no list of arguments use up all complexity", () => {
    expect(failureOf([address, unit, 5n, none])).toMatchObject({
      message: expect.stringMatching(/^Can't apply \(CaseObj, CaseObj, CONST_LONG, \) to 'invoke\(/),
      unusedComplexity: 0,
    });
  });

  it("reset the spent complexity before feature 22", () => {
    expect(failureOf([1n, unit, none, none], { fixed: false }).unusedComplexity).toBe(limit);
  });
});
