/** Work of a client's request, counted over all of its attempts. */
import { describe, expect, test } from "vitest";
import { evaluate } from "../../../src/ride/evaluator/evaluate.ts";
import { AttemptEnded, WorkMeter } from "../../../src/ride/evaluator/work-meter.ts";
import type { NativeFunction } from "../../../src/ride/functions/function-definition.ts";
import { call, constant, ref } from "../../../src/ride/functions/tree.ts";
import type { Value } from "../../../src/ride/values/value.ts";
import { WorkRefused } from "../../../src/ride/work-refused.ts";
import { pureEnvironment } from "../../support/fakes/pure-environment.ts";

const dear = { name: "dear" } as NativeFunction;
const other = { name: "other" } as NativeFunction;

/** Calls functions through the meter, and counts the computed ones. */
function counting(meter: WorkMeter) {
  let computed = 0;
  return {
    get computed() {
      return computed;
    },
    call(row: NativeFunction, complexity: number, args: readonly Value[], during = () => {}): Value {
      return meter.evaluate(row, complexity, args, () => {
        computed++;
        during();
        return BigInt(computed);
      });
    },
  };
}

describe("an expensive function", () => {
  test("is computed once for the same arguments, over all attempts", () => {
    const meter = new WorkMeter(10_000);
    const counted = counting(meter);
    for (let attempt = 0; attempt < 3; attempt++) {
      meter.beginAttempt(0);
      expect(counted.call(dear, 1_000, [new Uint8Array([1]), 2n])).toBe(1n);
    }
    expect(meter.spentComplexity).toBe(1_000);
  });

  test("is computed again for other arguments, and for another function", () => {
    const counted = counting(new WorkMeter(10_000));
    expect(counted.call(dear, 1_000, [1n])).toBe(1n);
    expect(counted.call(dear, 1_000, [2n])).toBe(2n);
    expect(counted.call(other, 1_000, [1n])).toBe(3n);
    expect(counted.call(dear, 1_000, [1n, 1n])).toBe(4n);
  });

  test("is computed again if it reads rows: they may be missing", () => {
    const meter = new WorkMeter(10_000);
    const counted = counting(meter);
    counted.call(dear, 1_000, [1n], () => meter.noteRowRead());
    counted.call(dear, 1_000, [1n], () => meter.noteRowRead());
    expect(counted.computed).toBe(2);
  });

  test("has no cached result if its arguments fill the memory", () => {
    const counted = counting(new WorkMeter(100_000));
    const message = new Uint8Array(150 * 1024);
    for (let index = 0; index < 30; index++) counted.call(dear, 200, [message, BigInt(index)]);
    counted.call(dear, 200, [message, 29n]);
    expect(counted.computed).toBe(31);
    counted.call(dear, 200, [message, 0n]);
    expect(counted.computed).toBe(31);
  });
});

test("the search for a cached result is work, too", () => {
  const meter = new WorkMeter(1_000_000);
  const counted = counting(meter);
  const message = new Uint8Array(10 * 1024);
  for (let index = 0; index < 50; index++) counted.call(dear, 200, [message, BigInt(index)]);
  meter.beginAttempt(0);
  const before = meter.spentComplexity;
  counted.call(dear, 200, [message, 0n]);
  counted.call(dear, 200, [message, 1n]);
  expect(meter.spentComplexity).toBe(before);
  counted.call(dear, 200, [message, 40n]);
  expect(meter.spentComplexity - before).toBeGreaterThan(10 * 38);
  expect(counted.computed).toBe(50);
});

test("a cheap function is computed and counted each time", () => {
  const meter = new WorkMeter(10_000);
  const counted = counting(meter);
  counted.call(dear, 99, [1n]);
  counted.call(dear, 99, [1n]);
  expect(counted.computed).toBe(2);
  expect(meter.spentComplexity).toBe(198);
});

describe("an attempt with a missing row", () => {
  test("goes on for a little more work, and then ends", () => {
    const meter = new WorkMeter(10_000);
    meter.beginAttempt(0);
    meter.noteMissingRow();
    meter.spend(1_000);
    expect(() => meter.spend(1)).toThrow(AttemptEnded);
  });

  test("ends at once if it has spent more than that", () => {
    const meter = new WorkMeter(10_000);
    meter.beginAttempt(0);
    meter.spend(1_001);
    expect(() => meter.noteMissingRow()).toThrow(AttemptEnded);
  });

  test("has no effect on the next one", () => {
    const meter = new WorkMeter(10_000);
    meter.beginAttempt(0);
    meter.noteMissingRow();
    meter.beginAttempt(500);
    meter.spend(5_000);
    expect(meter.spentComplexity).toBe(5_500);
  });
});

test("a request that has spent its limit is refused", () => {
  const meter = new WorkMeter(1_000);
  meter.spend(1_000);
  expect(meter.isExhausted).toBe(false);
  expect(() => meter.spend(1)).toThrow(WorkRefused);
  expect(meter.isExhausted).toBe(true);
});

test("a script spends through its environment's meter, for native functions and its own calls", () => {
  const workMeter = new WorkMeter(1_000_000);
  const linkOptions = {
    libraryVersion: 6,
    content: "expression",
    guards: "account",
    chainId: 82,
    hasLexicalScope: true,
  } as const;
  const rules = {
    isNewMode: true,
    hasFixedThrownError: true,
    checksConstructorArguments: true,
    hasSynchronousCallFixes: true,
  };
  const increment = {
    kind: "block",
    declaration: { kind: "function", name: "same", parameters: ["x"], body: ref("x") },
    body: call(100, call("same", constant(1n)), call(100, constant(1n), constant(2n))),
    isLetBlock: false,
  } as const;
  const environment = { ...pureEnvironment(linkOptions), workMeter };
  const { unusedComplexity } = evaluate(increment, linkOptions, { environment, rules, complexityLimit: 1_000 });
  expect(workMeter.spentComplexity).toBe(1_000 - unusedComplexity);
  expect(workMeter.spentComplexity).toBe(3);
});
