import { describe, expect, test } from "vitest";
import { nextBaseTarget } from "../../../src/rules/consensus/base-target.ts";
import { blockScore } from "../../../src/rules/consensus/block-score.ts";
import { type FairPos, fairPosV1, nxt } from "../../../src/rules/consensus/pos-algorithm.ts";

const maximumI64 = 2n ** 63n - 1n;

describe("the base target of NXT", () => {
  test.each([
    [200_000, 309_209n, 1477353355327n, 1477353205129n, 1477353460467n, 345_283n],
    [7_160, 704_498_270n, 1466167572675n, 1466167287305n, 1466167602106n, 786_689_734n],
    [7_163, 727_950_233n, 1466167672163n, 1466167602106n, 1466167703511n, 727_950_233n],
  ])(
    "after height %d with %d is the one of mainnet",
    (parentHeight, parentBaseTarget, parent, third, own, expected) => {
      const inputs = {
        averageBlockDelayMs: 60_000,
        parentHeight,
        parentBaseTarget,
        parentTimestampMs: parent,
        greatGrandparentTimestampMs: third,
        timestampMs: own,
      };
      expect(nextBaseTarget(nxt, inputs)).toBe(expected);
    },
  );

  const inputs = {
    averageBlockDelayMs: 60_000,
    parentHeight: 2,
    parentTimestampMs: 0n,
    greatGrandparentTimestampMs: undefined,
  };

  test("takes the delay after the parent while the chain is short", () => {
    expect(nextBaseTarget(nxt, { ...inputs, parentBaseTarget: 600n, timestampMs: 66_000n })).toBe(660n);
    const later = { ...inputs, parentTimestampMs: 40_000n, timestampMs: 106_000n };
    expect(nextBaseTarget(nxt, { ...later, parentBaseTarget: 600n })).toBe(660n);
  });

  test("takes the mean of the last three delays once there are as many", () => {
    const third = 1_466_167_287_305n;
    const after = (meanMs: bigint) =>
      nextBaseTarget(nxt, {
        ...inputs,
        parentHeight: 4,
        parentBaseTarget: 600n,
        greatGrandparentTimestampMs: third,
        timestampMs: third + 3n * meanMs,
      });
    expect([55_000n, 60_000n, 62_000n, 66_999n].map(after)).toEqual([568n, 600n, 620n, 660n]);
  });

  test("stays between 9 and the highest that the average delay allows", () => {
    expect(nextBaseTarget(nxt, { ...inputs, parentBaseTarget: 5n, timestampMs: 60_000n })).toBe(9n);
    const highest = maximumI64 / 60n;
    expect(nextBaseTarget(nxt, { ...inputs, parentBaseTarget: highest, timestampMs: 90_000n })).toBe(highest);
  });

  test("falls by 0.64 for each second below the average, down to 53 s", () => {
    expect(nextBaseTarget(nxt, { ...inputs, parentBaseTarget: 1_000_000n, timestampMs: 60_000n })).toBe(1_000_000n);
    const at53 = nextBaseTarget(nxt, { ...inputs, parentBaseTarget: 1_000_000n, timestampMs: 53_000n });
    expect(at53).toBe(925_333n);
    expect(nextBaseTarget(nxt, { ...inputs, parentBaseTarget: 1_000_000n, timestampMs: 1_000n })).toBe(at53);
  });
});

describe("the base target of Fair PoS", () => {
  const baseTargetAfter = (
    third: bigint | undefined,
    own: bigint,
    parentBaseTarget = 100n,
    algorithm: FairPos = fairPosV1,
  ) =>
    nextBaseTarget(algorithm, {
      averageBlockDelayMs: 60_000,
      parentHeight: 30,
      parentBaseTarget,
      parentTimestampMs: 0n,
      greatGrandparentTimestampMs: third,
      timestampMs: own,
    });

  test("stays while there is no block three below", () => {
    expect(baseTargetAfter(undefined, 10_000_000n)).toBe(100n);
  });

  test("rises by a hundredth above 90 s on average, falls by one below 30 s, and stays between", () => {
    expect(baseTargetAfter(0n, 273_000n)).toBe(101n);
    expect(baseTargetAfter(0n, 272_999n)).toBe(100n);
    expect(baseTargetAfter(0n, 90_000n)).toBe(100n);
    expect(baseTargetAfter(0n, 89_999n)).toBe(99n);
  });

  test("moves by the hundredth of its former value, however old", () => {
    const third = 1_700_000_000_000n;
    const after = (meanMs: bigint) => baseTargetAfter(third, third + 3n * meanMs, 1_099n);
    expect([91_000n, 60_000n, 29_000n].map(after)).toEqual([1_109n, 1_099n, 1_089n]);
  });

  test("has a narrower band with the delta of version 2", () => {
    const version2: FairPos = { kind: "fairPos", minBlockTimeMs: 15_000, delayDelta: 8 };
    expect(baseTargetAfter(0n, 249_000n, 100n, version2)).toBe(101n);
    expect(baseTargetAfter(0n, 248_999n, 100n, version2)).toBe(100n);
    expect(baseTargetAfter(0n, 114_000n, 100n, version2)).toBe(100n);
    expect(baseTargetAfter(0n, 113_999n, 100n, version2)).toBe(99n);
  });

  test("moves by 1 at least, never below 1 and never past 64 bits", () => {
    expect(baseTargetAfter(0n, 300_000n, 5n)).toBe(6n);
    expect(baseTargetAfter(0n, 3n, 1n)).toBe(1n);
    expect(baseTargetAfter(0n, 30_000_000_000n, maximumI64)).toBe(maximumI64);
  });
});

test("the score of a block is 2^64 divided by its base target", () => {
  expect(blockScore(153_722_867n)).toBe(120_000_000_219n);
  expect(blockScore(1n)).toBe(2n ** 64n);
});
