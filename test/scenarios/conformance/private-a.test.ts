/** Recorded chain private-a, appended with full validation; expected are the results of the reference. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRecording } from "../../../verification/replay/recording.ts";
import { type ReplayResult, replayChain } from "../../../verification/replay/replay-chain.ts";
import { countMoney, type MoneyCount } from "../../../verification/simulation/conserved-money.ts";

const recording = readRecording(join(import.meta.dirname, "../../fixtures/private-a"));
const money = new Map<number, MoneyCount>();
const replayResult: ReplayResult = replayChain(recording, {
  all: true,
  afterBlock: (chain, database) => money.set(chain.view.height, countMoney(chain, database)),
});

describe("the recorded chain private-a", () => {
  test("is appended to its last block", () => {
    expect(replayResult.height).toBe(105);
    expect(recording.stateHashes.size).toBe(105);
  });

  test("has the recorded state snapshot for every transaction, and both recorded state hashes at every height", () => {
    expect(replayResult.differences).toEqual([]);
  });

  test("has them in the order that clients see", () => {
    expect(replayResult.reordered).toBe(0);
  });

  test("counts the transactions of each type", () => {
    expect(Object.fromEntries(replayResult.compared)).toEqual({
      3: 11,
      4: 168,
      5: 3,
      6: 39,
      7: 57,
      8: 47,
      9: 24,
      10: 3,
      11: 38,
      12: 39,
      13: 36,
      14: 3,
      15: 2,
      16: 326,
      17: 3,
      18: 39,
    });
  });

  test("takes no state snapshot from the recording", () => {
    expect(Object.fromEntries(replayResult.fromRecording)).toEqual({});
  });

  test("conserves WAVES, assets and leases after every block", () => {
    expect(money.size).toBe(105);
    for (const [height, { found, expected }] of money)
      expect({ height, lines: found }).toEqual({ height, lines: expected });
  });
});
