import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ItemCutter } from "../../../../web/explorer/text/item-cutter.ts";

function cut(text: string, maxItems: number, partCharacters: number): ItemCutter {
  const cutter = new ItemCutter(maxItems);
  for (let offset = 0; offset < text.length && !cutter.isFull; offset += partCharacters)
    cutter.add(text.slice(offset, offset + partCharacters));
  return cutter;
}

describe("ItemCutter", () => {
  it("leaves a list whole that is not too long", () => {
    const cutter = cut('[{"a":1},{"b":2}]', 2, 3);
    expect([cutter.isFull, cutter.text()]).toEqual([false, '[{"a":1},{"b":2}]']);
    expect(cut("[]", 2, 3).text()).toBe("[]");
  });

  it("takes marks in strings for what they are", () => {
    const text = String.raw`[{"key":"},{\"","value":"\\"},{"key":"]"},{"key":"c"}]`;
    expect(JSON.parse(cut(text, 2, 1).text())).toEqual([{ key: '},{"', value: "\\" }, { key: "]" }]);
  });

  it("gives the first items of any list, in whatever parts it comes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string()), fc.object())), {
          maxLength: 8,
        }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 9 }),
        (list, maxItems, partCharacters) => {
          const text = JSON.stringify(list);
          const cutter = cut(text, maxItems, partCharacters);
          expect(JSON.parse(cutter.text())).toEqual(JSON.parse(text).slice(0, maxItems));
          expect(cutter.isFull).toBe(list.length > maxItems);
        },
      ),
      { seed: 37, numRuns: 150 },
    );
  });
});
