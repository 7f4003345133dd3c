/** The compiler that counts its steps, as the node runs it. */
import type { RideLang } from "@waves/ride-lang";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { withStepCount } from "../../local/runtime/metered-compiler.ts";
import { compile } from "../../src/ride/compiler/compile.ts";
import { compileExpression } from "../../src/ride/compiler/compile-expression.ts";
import { CompilerWork } from "../../src/ride/compiler/compiler-work.ts";
import { loadCompiler } from "../../src/ride/compiler/load-compiler.ts";
import { SourceTooLong } from "../../src/ride/compiler/source-bound.ts";
import { SeededRandom } from "../../verification/chain-generator/seeded-random.ts";
import { writeDApp } from "../../verification/fuzz/dapp-writer.ts";
import { meteredCompiler as metered, publishedCompiler as published } from "../ride/metered-compiler.ts";

vi.mock("@waves/ride-lang", async () => ({ default: (await import("../ride/metered-compiler.ts")).meteredCompiler }));
// Gives the compiler its hash functions.
await loadCompiler();

const head = (content: string) =>
  `{-# STDLIB_VERSION 6 #-}\n{-# CONTENT_TYPE ${content} #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n`;
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");
const request = { libraries: {}, estimator: 3 as never, defaultLibraryVersion: 6, compacts: false };

/** Sources that take the compiler far more than their size tells. */
const hostile: readonly (readonly [string, string])[] = [
  ["types that double with each line", `let v0 = 1\n${lines(60, (at) => `let v${at + 1} = (v${at}, v${at})\n`)}true`],
  [
    "types with ever more choices",
    `let v0 = if (true) then 1 else "a"\n${lines(60, (at) => `let v${at + 1} = if (true) then (v${at}, 1) else [v${at}]\n`)}true`,
  ],
  [
    "an error that names such a type",
    `let v0 = 1\n${lines(60, (at) => `let v${at + 1} = (v${at}, v${at})\n`)}v60 + 1 == 1`,
  ],
  [
    "lists of tuples of all kinds",
    `let x = [${lines(500, (at) => `(${[...at.toString(2).padStart(10, "0")].map((bit) => (bit === "1" ? "1" : '"a"')).join(",")}),`)}(1,1)]\ntrue`,
  ],
  ["a name of 60,000 letters", `let x = ${"a".repeat(60_000)}\ntrue`],
  ["half a million line breaks", `${"\n".repeat(500_000)}true`],
];

describe("a compiler that counts its steps", () => {
  test("gives what the package gives", () => {
    let compiled = 0;
    for (let index = 0; index < 8; index++) {
      const random = new SeededRandom(`metered ${index}`);
      const names = { accounts: [random.bytes(26)], dataKeys: ["key"], assets: [random.bytes(32)], transactions: [] };
      const { source } = writeDApp(random, 3 + (index % 6), names);
      const answer = metered.compile(source, 3, index % 2 === 0, false, {});
      expect(answer).toEqual(published.compile(source, 3, index % 2 === 0, false, {}));
      expect(metered.scriptInfo(source)).toEqual(published.scriptInfo(source));
      if (answer.result !== undefined) compiled++;
    }
    expect(compiled).toBeGreaterThan(2);
  });

  test("counts the same each time, and more for more", () => {
    const stepsFor = (source: string): number => {
      metered.allowSteps(1_000_000_000);
      metered.compile(head("EXPRESSION") + source, 3, false, false, {});
      return 1_000_000_000 - metered.allowSteps(1_000_000_000);
    };
    const few = lines(20, (at) => `let a${at} = 1\n`);
    stepsFor("true");
    expect(stepsFor(`${few}true`)).toBe(stepsFor(`${few}true`));
    expect(stepsFor(`${few}${few.replaceAll("a", "b")}true`)).toBeGreaterThan(1.5 * stepsFor(`${few}true`));
  });

  test("takes no other text", () => {
    expect(() => withStepCount("module.exports = {};")).toThrow("another one");
  });
});

describe("the compiler's work for one request", () => {
  beforeEach(() => void metered.allowSteps(2 ** 30 - 1));

  test.each(hostile)("ends in time: %s", async (_, source) => {
    const spent: number[] = [];
    const asked = {
      ...request,
      source: head("EXPRESSION") + source,
      spent: (complexity: number) => void spent.push(complexity),
    };
    await expect(compile(asked)).rejects.toThrow(SourceTooLong);
    expect(spent).toHaveLength(1);
    expect(spent[0]).toBeGreaterThan(1_000);
    expect(spent[0]).toBeLessThan(40_000);
  });

  test.each(hostile.slice(0, 3))("ends in time for expressions, too: %s", async (_, source) => {
    await expect(compileExpression(source.replace(/true$/, "1"), 6)).rejects.toThrow();
  });

  test("leaves a compiler that works when it was stopped anywhere", async () => {
    const source = `${head("DAPP")}@Callable(i)\nfunc call(a: Int, b: String) = [IntegerEntry(b, a + 1), ScriptTransfer(i.caller, a, unit)]\n`;
    const whole = await compile({ ...request, source });
    for (let steps = 1; steps < 400_000; steps *= 4) {
      const work = await CompilerWork.of(0, "script");
      const stopped = (compiler: RideLang) => {
        compiler.allowSteps?.(steps);
        return compiler.compile(source, 3, false, false, {});
      };
      expect(() => work.run(stopped)).toThrow(SourceTooLong);
      expect(await compile({ ...request, source })).toEqual(whole);
    }
  });

  test("suffices for an expression of 5,000 declarations, to which the reference has an answer", async () => {
    const spent: number[] = [];
    const source = `${lines(5_000, (at) => `let a${at} = ${at}\n`)}a0`;
    expect(await compileExpression(source, 6, (complexity) => void spent.push(complexity))).toMatchObject({
      kind: "block",
    });
    expect(spent).toHaveLength(1);
  });

  test("lets through what people write", async () => {
    const part = (at: number) => `
@Callable(i)
func call${at}(amount: Int, name: String) = {
  let key = "%s__" + name + toString(${at})
  let before = valueOrElse(getInteger(this, key), 0)
  if (amount <= 0) then throw("the amount must be positive: " + toString(amount))
  else [IntegerEntry(key, before + amount), ScriptTransfer(i.caller, fraction(amount, 997, 1000), i.payments[0].assetId)]
}
`;
    const { script } = await compile({
      ...request,
      source: head("DAPP") + lines(100, part),
    });
    expect(script.length).toBeGreaterThan(25_000);
  });
});
