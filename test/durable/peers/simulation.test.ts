/** Short pieces of `npm run simulate`, which whole takes hours: nodes with the real rules, protocol and storage. */
import { describe, expect, test } from "vitest";
import { networkRun } from "../../../scripts/tools/simulated-network/network-run.ts";

/** On a busy machine. */
const timeoutMs = 600_000;
/** So that what nobody has thought of is found once by somebody, and then again by whoever is told the seed. */
const freshSeed = `fresh ${Date.now() % 1_000_000}`;

describe("simulated networks", { timeout: timeoutMs }, () => {
  test.each([
    ["short 1", "current"],
    ["short 2", "growing"],
    [freshSeed, "old"],
  ] as const)("nodes agree in the end, whatever befalls them (seed %s, %s rules)", async (seed, era) => {
    const { differences, height } = await networkRun({ seed, era, nodes: 4, blocks: 16 });
    expect(differences).toEqual([]);
    expect(height).toBeGreaterThan(16);
  });

  test("the same seed makes the same run", async () => {
    const wish = { seed: "same 5", era: "old", nodes: 3, blocks: 12 } as const;
    const [first, second] = [await networkRun(wish), await networkRun(wish)];
    expect(second.journal.lines).toEqual(first.journal.lines);
    expect(second.tips).toEqual(first.tips);
    expect(second.events).toBe(first.events);
    expect(first.journal.faults).toBeGreaterThan(0);
  });

  test("honest nodes agree beside those that mean no good, and shut these out", async () => {
    const wish = { seed: "hostile", era: "growing", nodes: 3, blocks: 30, isHostile: true } as const;
    const { differences, shutOut } = await networkRun(wish);
    expect(differences).toEqual([]);
    expect(shutOut).toContain("ids of blocks that nobody has");
    expect(shutOut).toContain("a block with another signature");
  });
});
