import { expect, test } from "vitest";
import { IsolateMemory } from "../../src/platform/isolate-memory.ts";
import { CompilationError } from "../../src/ride/compiler/compile.ts";
import { CompiledExpressions } from "../../src/services/compiled-expressions.ts";

const memoryBytes = 1_000_000;

test("an expression is compiled once for a library version", async () => {
  const expressions = new CompiledExpressions(new IsolateMemory(memoryBytes));
  const first = await expressions.compile('1 + size("ab")', 5);
  expect(await expressions.compile('1 + size("ab")', 5)).toBe(first);
  expect(await expressions.compile('1 + size("ab")', 6)).not.toBe(first);
  expect(await expressions.compile('1 + size("abc")', 5)).not.toBe(first);
});

test("what cannot be compiled is refused each time", async () => {
  const memory = new IsolateMemory(memoryBytes);
  const expressions = new CompiledExpressions(memory);
  for (let times = 0; times < 2; times++)
    await expect(expressions.compile("1 + true", 5)).rejects.toBeInstanceOf(CompilationError);
  expect(memory.sizeBytes).toBe(0);
});

test("the memory counts all that an expression is made of", async () => {
  const sizeOf = async (source: string) => {
    const memory = new IsolateMemory(memoryBytes);
    await new CompiledExpressions(memory).compile(source, 5);
    return memory.sizeBytes;
  };
  // A short text may compile to a large tree.
  const folded = "func add(a: Int, b: Int) = a + b\nFOLD<20>([1, 2, 3], 0, add)";
  const plain = "func add(a: Int, b: Int) = a + b\nif (true) then add(1, 2) else 3";
  expect(await sizeOf(folded)).toBeGreaterThan(3 * (await sizeOf(plain)));
});
