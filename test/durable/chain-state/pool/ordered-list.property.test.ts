import fc from "fast-check";
import { expect, test } from "vitest";
import { OrderedList } from "../../../../durable/chain-state/pool/ordered-list.ts";

const ascending = (left: number, right: number): number => left - right;
const operations = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 4_000 })), {
  maxLength: 5_000,
  size: "max",
});

test("an ordered list has the content of a sorted array after the same insertions and removals", () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const list = new OrderedList(ascending);
      const model = new Set<number>();
      for (const [isInsertion, item] of steps) {
        if (!isInsertion) expect(list.remove(item)).toBe(model.delete(item));
        else if (!model.has(item)) {
          list.insert(item);
          model.add(item);
        }
      }
      const sorted = [...model].sort(ascending);
      expect([...list]).toEqual(sorted);
      expect(list.length).toBe(sorted.length);
      expect(list.first()).toBe(sorted[0]);
    }),
    { numRuns: 30 },
  );
});

test("an ordered list of many chunks stays sorted when items come in order, in reverse order and into the middle", () => {
  const list = new OrderedList(ascending);
  for (let item = 0; item < 3_000; item++) list.insert(item * 2);
  for (let item = 2_999; item >= 0; item--) list.insert(item * 2 + 1);
  expect([...list]).toEqual(Array.from({ length: 6_000 }, (_, item) => item));
  for (let item = 0; item < 6_000; item++) expect(list.remove(item)).toBe(true);
  expect([...list]).toEqual([]);
  expect(list.first()).toBeUndefined();
});
