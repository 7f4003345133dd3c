import { describe, expect, it } from "vitest";
import { BoundedCache } from "../../src/crypto/bounded-cache.ts";

describe("BoundedCache", () => {
  it("keeps at least its capacity of the values used last", () => {
    const cache = new BoundedCache<number, string>(10);
    for (let key = 0; key < 1000; key++) {
      cache.set(key, `value ${key}`);
      for (let recent = Math.max(0, key - 9); recent <= key; recent++)
        expect(cache.find(recent)).toBe(`value ${recent}`);
    }
  });

  it("never holds more than twice its capacity", () => {
    const cache = new BoundedCache<number, number>(10);
    for (let key = 0; key < 1000; key++) {
      cache.set(key, key);
      cache.find(key - 15);
      expect(cache.size).toBeLessThanOrEqual(20);
    }
    expect(cache.find(0)).toBeUndefined();
  });

  it("keeps what is asked for again and again", () => {
    const cache = new BoundedCache<number, string>(4);
    cache.set(-1, "kept");
    for (let key = 0; key < 100; key++) {
      cache.set(key, "passing");
      expect(cache.find(-1)).toBe("kept");
    }
  });

  it("replaces the value of a key", () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set("key", 1);
    cache.set("key", 2);
    expect(cache.find("key")).toBe(2);
    expect(cache.size).toBe(1);
  });
});
