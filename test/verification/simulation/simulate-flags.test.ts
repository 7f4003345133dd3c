import { expect, test } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { parseSimulateFlags } from "../../../verification/simulation/simulate-flags.ts";

test("without flags ten networks of five nodes are made, by the luck of the clock", () => {
  expect(parseSimulateFlags([])).toEqual({
    ...{ seeds: 10, first: 1, nodes: 5, blocks: 300, name: expect.stringMatching(/^\d+$/) },
    ...{ isHostile: false, era: undefined, isOfCommittees: false, isSlow: false, seed: undefined, isHelp: false },
  });
});

test("a run in slices, and a seed by itself", () => {
  const slice = parseSimulateFlags(["--name", "7", "--first", "51", "--seeds", "50", "--hostile"]);
  expect(slice).toMatchObject({ name: "7", first: 51, seeds: 50, isHostile: true });
  const again = parseSimulateFlags(["--nodes", "3", "--blocks", "40", "--seed", "7/12"]);
  expect(again).toMatchObject({ nodes: 3, blocks: 40, seed: "7/12" });
});

test("committees instead of whole nodes", () => {
  expect(parseSimulateFlags(["--committees", "--hostile", "--slow"])).toMatchObject({
    isOfCommittees: true,
    isHostile: true,
    isSlow: true,
  });
});

test.each([
  [["--nodes", "1"], "--nodes expects a whole number from 2 on"],
  [["--seeds", "many"], "--seeds expects a whole number from 1 on"],
  [["--blocks", "-3"], "blocks"],
  [["--era", "new"], "--era expects one of current, committees"],
  [["--what"], "--what"],
])("%j is refused", (args, message) => {
  expect(() => parseSimulateFlags(args)).toThrow(UsageError);
  expect(() => parseSimulateFlags(args)).toThrow(message);
});
