import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { IsolateMemory, textBytes } from "../../src/platform/isolate-memory.ts";

const arrange = (limitBytes: number) => {
  const memory = new IsolateMemory(limitBytes);
  return { memory, texts: memory.region<string>("text", textBytes) };
};

describe("IsolateMemory", () => {
  test("gives back what was kept, the newest under a key", () => {
    const { texts } = arrange(10_000);
    texts.store("a", "first");
    texts.store("a", "second");
    expect(texts.find("a")).toBe("second");
    expect(texts.find("b")).toBeUndefined();
  });

  test("keeps values of one kind apart from those of another, under one bound", () => {
    const { memory, texts } = arrange(10_000);
    const numbers = memory.region<number>("number", () => 8);
    texts.store("a", "text");
    numbers.store("a", 1);
    expect([texts.find("a"), numbers.find("a")]).toEqual(["text", 1]);
    for (let index = 0; index < 100; index++) numbers.store(`filler ${index}`, index);
    expect(texts.find("a")).toBeUndefined();
    expect(memory.sizeBytes).toBeLessThanOrEqual(10_000);
  });

  test("lets go what was not asked for longest", () => {
    const { texts } = arrange(1100);
    for (const key of ["a", "b", "c"]) texts.store(key, "");
    texts.find("a");
    for (let index = 0; index < 7; index++) texts.store(`filler ${index}`, "");
    expect(texts.find("b")).toBeUndefined();
    expect(texts.find("a")).toBe("");
  });

  test("does not keep a value that would fill an eighth of it", () => {
    const { texts } = arrange(8000);
    texts.store("a", "small");
    texts.store("b", "x".repeat(500));
    expect(texts.find("b")).toBeUndefined();
    expect(texts.find("a")).toBe("small");
  });

  test("drops values of one kind, by what they are", () => {
    const { memory, texts } = arrange(8000);
    const others = memory.region<string>("others", textBytes);
    for (const key of ["a", "b", "c"]) texts.store(key, key);
    others.store("a", "a");
    texts.dropAll((text) => text !== "b");
    expect(["a", "b", "c"].map((key) => texts.find(key))).toEqual([undefined, "b", undefined]);
    expect(others.find("a")).toBe("a");
  });

  test("never holds more than its limit, and counts right", () => {
    const entry = fc.record({
      key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      size: fc.nat(120),
      drops: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        const { memory, texts } = arrange(2400);
        for (const { key, size, drops } of entries) {
          if (drops) texts.drop(key);
          else texts.store(key, "x".repeat(size));
          expect(memory.sizeBytes).toBeLessThanOrEqual(2400);
        }
        for (const key of ["a", "b", "c", "d", "e", "f"]) texts.drop(key);
        expect(memory.sizeBytes).toBe(0);
      }),
    );
  });
});
