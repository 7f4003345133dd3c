import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EffectiveBalance } from "../../../src/rules/consensus/generating-balance.ts";
import { BalanceLine } from "../../../src/tables/view/balance-line.ts";

const entriesOf = (line: BalanceLine) => Array.from({ length: line.length }, (_, index) => line.at(index));

describe("balances of an account", () => {
  test("are what a list of them would be, whatever is put and forgotten", () => {
    const step = fc.record({
      up: fc.nat({ max: 2 }),
      effective: fc.bigInt({ min: -(3n * 2n ** 63n), max: 3n * 2n ** 63n }),
      forgets: fc.option(fc.nat({ max: 40 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat({ max: 5 }), (steps, known) => {
        let list: EffectiveBalance[] = Array.from({ length: known }, (_, index) => ({ height: index, effective: 1n }));
        const line = new BalanceLine(list);
        let height = known;
        for (const { up, effective, forgets } of steps) {
          height += up;
          line.put({ height, effective });
          if (list.at(-1)?.height === height) list.pop();
          list.push({ height, effective });
          if (forgets !== undefined) {
            line.forgetBefore(height - forgets);
            const inForce = list.findLastIndex((entry) => entry.height <= height - forgets);
            list = list.slice(Math.max(inForce, 0));
          }
          expect(entriesOf(line)).toEqual(list);
        }
        expect([line.at(-1), line.at(line.length)]).toEqual([undefined, undefined]);
      }),
    );
  });
});
