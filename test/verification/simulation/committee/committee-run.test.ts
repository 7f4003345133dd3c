/**
 * Short runs of `npm run simulate -- --committees`: generators with the rules of finality, without the rest of a node.
 */
import { describe, expect, test } from "vitest";
import { committeeRun } from "../../../../verification/simulation/committee/committee-run.ts";
import { hostilities } from "../../../../verification/simulation/committee/hostility.ts";

describe("simulated committees", () => {
  test.each(["short 1", "short 2", "short 3", "short 4"])(
    "agree on what is final, whatever befalls them (seed %s)",
    (seed) => {
      const { differences, height, finalizedHeight } = committeeRun({ seed, blocks: 40, isHostile: false });
      expect(differences).toEqual([]);
      expect(height).toBeGreaterThan(40);
      expect(finalizedHeight).toBeGreaterThan(height - 9);
    },
  );

  test.each(hostilities)("agree beside less than a third with %s", (hostility) => {
    const options = { seed: `beside ${hostility}`, blocks: 40, isHostile: true, hostility } as const;
    const { differences, hostile } = committeeRun(options);
    expect(differences).toEqual([]);
    expect(hostile).toBeGreaterThan(0);
  });

  test("the same seed makes the same run", () => {
    const options = { seed: "same 1", blocks: 30, isHostile: true } as const;
    const [first, second] = [committeeRun(options), committeeRun(options)];
    expect(second.journal.lines).toEqual(first.journal.lines);
    expect(first.journal.faults).toBeGreaterThan(0);
  });
});
