import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TextCache } from "../../src/read-model/text-cache.ts";

describe("TextCache", () => {
  test("gives back what was kept, the newest under a key", () => {
    const cache = new TextCache(10_000);
    cache.keep("a", "first");
    cache.keep("a", "second");
    expect(cache.find("a")).toBe("second");
    expect(cache.find("b")).toBeUndefined();
  });

  test("lets go what was not asked for longest", () => {
    const cache = new TextCache(1000);
    for (const key of ["a", "b", "c"]) cache.keep(key, "");
    cache.find("a");
    for (let index = 0; index < 7; index++) cache.keep(`filler ${index}`, "");
    expect(cache.find("b")).toBeUndefined();
    expect(cache.find("a")).toBe("");
  });

  test("does not keep a text that would fill an eighth of it", () => {
    const cache = new TextCache(8000);
    cache.keep("a", "small");
    cache.keep("b", "x".repeat(500));
    expect(cache.find("b")).toBeUndefined();
    expect(cache.find("a")).toBe("small");
  });

  test("never holds more than its limit, and counts right", () => {
    const entry = fc.record({
      key: fc.constantFrom("a", "b", "c", "d", "e", "f"),
      size: fc.nat(120),
      drops: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        const cache = new TextCache(2400);
        for (const { key, size, drops } of entries) {
          if (drops) cache.drop(key);
          else cache.keep(key, "x".repeat(size));
          expect(cache.sizeBytes).toBeLessThanOrEqual(2400);
        }
        for (const key of ["a", "b", "c", "d", "e", "f"]) cache.drop(key);
        expect(cache.sizeBytes).toBe(0);
      }),
    );
  });
});
