import { describe, expect, test } from "vitest";
import { SyncReporter, type SyncSample, syncLine } from "../../../local/runtime/sync-report.ts";

const sample = (seconds: number, height: number, blocksAhead: number, connectedPeers = 3): SyncSample => ({
  ...{ timeMs: seconds * 1_000, height, blocksAhead, connectedPeers },
});

function linesOf(samples: readonly SyncSample[]): (string | undefined)[] {
  const reporter = new SyncReporter();
  return samples.map((seen) => reporter.report(seen)?.line);
}

describe("the line of a sync", () => {
  test("tells height, target, speed, time left and peers", () => {
    expect(syncLine([sample(0, 1_000, 99_000), sample(10, 9_000, 91_000)], 100_000)).toBe(
      "height 9000 of about 100000, 800 blocks/s, 114 s left, 3 peers",
    );
  });

  test("knows no speed at first", () => {
    expect(syncLine([sample(0, 1_000, 99_000, 1)], 100_000)).toBe("height 1000 of about 100000, 1 peer");
  });

  test("knows no time left where nothing goes on", () => {
    expect(syncLine([sample(0, 1_000, 50), sample(10, 1_000, 50)], 1_050)).toBe(
      "height 1000 of about 1050, 0 blocks/s, 3 peers",
    );
  });

  test("has a digit more for little speed", () => {
    expect(syncLine([sample(0, 100, 50), sample(10, 125, 25)], 150)).toBe(
      "height 125 of about 150, 2.5 blocks/s, 10 s left, 3 peers",
    );
  });
});

describe("what is said of a node", () => {
  test("is nothing as long as it lacks few blocks", () => {
    expect(linesOf([sample(0, 100, 0, 0), sample(1, 100, 0), sample(2, 100, 9)])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("is how far it is, and once that it has caught up", () => {
    expect(linesOf([sample(0, 100, 10), sample(1, 105, 5), sample(2, 111, 0), sample(3, 112, 1)])).toEqual([
      "height 100 of about 110, 3 peers",
      "height 105 of about 110, 5.0 blocks/s, 1 s left, 3 peers",
      "caught up with the peers at height 111: 11 blocks in 2 s",
      undefined,
    ]);
  });

  test("is not that it has caught up when it has lost its peers", () => {
    expect(linesOf([sample(0, 100, 50), sample(1, 110, 0, 0), sample(2, 110, 40, 1)])).toEqual([
      "height 100 of about 150, 3 peers",
      "height 110 of about 150, 10 blocks/s, 4 s left, no peer is connected",
      "height 110 of about 150, 5.0 blocks/s, 8 s left, 1 peer",
    ]);
  });

  test("is the speed of the last half minute", () => {
    const samples = [sample(0, 0, 9_000), sample(20, 8_000, 1_000), sample(40, 8_020, 980), sample(60, 8_050, 950)];
    expect(linesOf(samples).at(-1)).toBe("height 8050 of about 9000, 1.5 blocks/s, 11 min left, 3 peers");
  });

  test("starts over when it falls behind again", () => {
    const samples = [sample(0, 100, 50), sample(5, 150, 0), sample(100, 150, 20), sample(104, 170, 0)];
    expect(linesOf(samples).slice(2)).toEqual([
      "height 150 of about 170, 3 peers",
      "caught up with the peers at height 170: 20 blocks in 4 s",
    ]);
  });
});
