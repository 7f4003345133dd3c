/** Short runs of `npm run simulate`, which takes hours as a whole: nodes with the real rules, protocol and storage. */
import { describe, expect, test } from "vitest";
import { networkRun } from "../../../../verification/simulation/network/network-run.ts";

/** Timeout for a busy machine. */
const timeoutMs = 600_000;
/** New in each run, to find unforeseen failures; the printed seed repeats them. */
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

  test.each(["current", "growing"] as const)(
    "light nodes agree with the full one in the end (%s rules)",
    async (era) => {
      const wish = { seed: "light 1", era, nodes: 4, blocks: 16, lightProbability: 1 };
      const { differences, lightNodes, transactions } = await networkRun(wish);
      expect(differences).toEqual([]);
      expect(lightNodes).toBe(3);
      expect(transactions).toBeGreaterThan(0);
    },
  );

  test("light nodes blacklist peers that send them snapshots of another block", async () => {
    const wish = {
      seed: "light 2",
      era: "current",
      nodes: 4,
      blocks: 24,
      isHostile: true,
      lightProbability: 1,
    } as const;
    const { differences, blacklisted } = await networkRun({ ...wish, hostilities: ["a block with other snapshots"] });
    expect(differences).toEqual([]);
    expect(blacklisted).toEqual(["a block with other snapshots"]);
  });

  test("the same seed makes the same run", async () => {
    const wish = { seed: "same 5", era: "old", nodes: 3, blocks: 12 } as const;
    const [first, second] = [await networkRun(wish), await networkRun(wish)];
    expect(second.journal.lines).toEqual(first.journal.lines);
    expect(second.tips).toEqual(first.tips);
    expect(second.events).toBe(first.events);
    expect(first.journal.faults).toBeGreaterThan(0);
  });

  test.each(["a block with another state hash", "a micro-block with another state hash"] as const)(
    "%s is challenged, and all agree on that, light ones too (NODE-1167, NODE-1174, NODE-1175)",
    async (hostility) => {
      const ofNetwork = { era: "current", nodes: 4, blocks: 24, lightProbability: 0.5 } as const;
      const wish = { seed: "challenge 3", isHostile: true, ...ofNetwork };
      const { differences, challenges, blacklisted, lightNodes } = await networkRun({
        ...wish,
        hostilities: [hostility],
      });
      expect(differences).toEqual([]);
      expect(lightNodes).toBeGreaterThan(0);
      // One generator does that, and it generates no more.
      expect(challenges).toEqual([{ height: expect.any(Number), generatingBalance: 0n, elided: 2 }]);
      expect(blacklisted).toEqual([hostility]);
    },
  );

  test("honest nodes agree despite malicious ones, and blacklist these", async () => {
    const wish = { seed: "hostile", era: "growing", nodes: 3, blocks: 30, isHostile: true } as const;
    const { differences, blacklisted } = await networkRun(wish);
    expect(differences).toEqual([]);
    // Chance decides which of the ten send something before they are blacklisted, or an error ends them.
    expect(blacklisted.length).toBeGreaterThan(5);
    expect(blacklisted).not.toContain("requests without end");
  });
});
