import { describe, expect, test } from "vitest";
import { functionalityDefaults } from "../../../src/network/defaults.ts";
import { Feature } from "../../../src/network/features.ts";
import { blockDelayMs } from "../../../src/rules/consensus/block-delay.ts";
import { maximumHit } from "../../../src/rules/consensus/hit.ts";
import { fairPosOfSettings, fairPosV1, nxt, posAlgorithm } from "../../../src/rules/consensus/pos-algorithm.ts";
import { activeFrom } from "../../support/builders/activation.ts";

const fairPosV2 = fairPosOfSettings(functionalityDefaults);

describe("the delay of Fair PoS", () => {
  // hit, base target, generating balance, delay: the first three from the Go node's tests, the others from the
  // reference's.
  test.each([
    [1n, 100n, 10_000_000_000_000n, 705_491n],
    [2n, 200n, 20_000_000_000_000n, 607_358n],
    [3n, 300n, 30_000_000_000_000n, 549_956n],
    [18446701458283167638n, 32n, 584663948431762n, 5_004n],
    [18446711094707255991n, 30n, 180421440289660n, 5_011n],
    [18382995626295039731n, 30n, 156588226789282n, 26_958n],
    [18099772249553806505n, 37n, 696130740849591n, 26_965n],
    [18019165242159763708n, 30n, 166076857835215n, 89_700n],
    [18028580913071193795n, 27n, 180421440289660n, 89_700n],
    [6424983967878599490n, 30n, 584663948431762n, 245_526n],
    [7761011821230975377n, 29n, 451319649380364n, 251_998n],
  ])("version 1 of hit %d, base target %d and balance %d is %d ms", (hit, baseTarget, generatingBalance, delayMs) => {
    expect(blockDelayMs(fairPosV1, { hit, baseTarget, generatingBalance })).toBe(delayMs);
  });

  test("version 2 starts later by the difference of the least block times", () => {
    const inputs = { hit: 1n, baseTarget: 100n, generatingBalance: 10_000_000_000_000n };
    expect(blockDelayMs(fairPosV2, inputs)).toBe(715_491n);
  });

  test("the highest hit gives the least block time, the lowest never comes", () => {
    const inputs = { baseTarget: 100n, generatingBalance: 10_000_000_000_000n };
    expect(blockDelayMs(fairPosV2, { ...inputs, hit: maximumHit })).toBe(15_000n);
    expect(blockDelayMs(fairPosV2, { ...inputs, hit: 0n })).toBe(2n ** 63n - 1n);
  });

  test("more balance never waits longer", () => {
    let before = 2n ** 63n - 1n;
    for (let generatingBalance = 100_000_000_000n; generatingBalance < 10n ** 16n; generatingBalance *= 3n) {
      const delayMs = blockDelayMs(fairPosV2, { hit: 1n << 62n, baseTarget: 70n, generatingBalance });
      expect(delayMs).toBeLessThanOrEqual(before);
      before = delayMs;
    }
  });
});

describe("the delay of NXT", () => {
  test.each([
    [7351874400125134246n, 334_160n, 500_162_462_800n, 44_000n],
    [11824069987143516706n, 704_498_270n, 100_001_283n, 168_000n],
    [1191797677384316995n, 786_689_734n, 100_001_062n, 16_000n],
  ])("of hit %d, base target %d and balance %d is %d ms", (hit, baseTarget, generatingBalance, delayMs) => {
    expect(blockDelayMs(nxt, { hit, baseTarget, generatingBalance })).toBe(delayMs);
  });

  // Asked of the reference's NxtPoSCalculator.
  test.each([
    [1_742_609_352_100_605_044n, 19n, 5n, -103_487_735_808_447_616n],
    [18_446_744_073_709_549_567n, 6n, 93n, -3_834_807_011_738_907_232n],
    [7_861_966_198_013_901_788n, 3n, 4n, -8_918_936_819_052_082_176n],
  ])(
    "of hit %d, base target %d and a balance of %d wavelets wraps around",
    (hit, baseTarget, generatingBalance, delayMs) => {
      expect(blockDelayMs(nxt, { hit, baseTarget, generatingBalance })).toBe(delayMs);
    },
  );

  test("a hit that is reached exactly needs no further second", () => {
    expect(blockDelayMs(nxt, { hit: 60_000n, baseTarget: 10n, generatingBalance: 100n })).toBe(60_000n);
    expect(blockDelayMs(nxt, { hit: 60_001n, baseTarget: 10n, generatingBalance: 100n })).toBe(61_000n);
    expect(blockDelayMs(nxt, { hit: 0n, baseTarget: 10n, generatingBalance: 100n })).toBe(0n);
  });
});

test("without a balance, or after a base target that no block can have, signing is never allowed", () => {
  for (const algorithm of [nxt, fairPosV1, fairPosV2]) {
    for (const baseTarget of [0n, -1n])
      expect(blockDelayMs(algorithm, { hit: 1n, baseTarget, generatingBalance: 100n })).toBe(2n ** 63n - 1n);
    expect(blockDelayMs(algorithm, { hit: 1n, baseTarget: 100n, generatingBalance: 0n })).toBe(2n ** 63n - 1n);
    expect(blockDelayMs(algorithm, { hit: 1n, baseTarget: 100n, generatingBalance: -5n })).toBe(2n ** 63n - 1n);
  }
});

describe("the algorithm", () => {
  const functionality = { ...functionalityDefaults, minBlockTimeMs: 1_500, delayDelta: 3 };
  const features = activeFrom({ [Feature.FairPos]: 10, [Feature.BlockV5]: 20 });

  test("follows the features in force at the parent", () => {
    const at = (parentHeight: number) => posAlgorithm({ parentHeight, features, functionality });
    expect(at(9)).toEqual(nxt);
    expect(at(10)).toEqual({ kind: "fairPos", minBlockTimeMs: 5_000, delayDelta: 0 });
    expect(at(19)).toEqual(fairPosV1);
    expect(at(20)).toEqual({ kind: "fairPos", minBlockTimeMs: 1_500, delayDelta: 3 });
  });

  test("stays NXT if feature 15 comes without feature 8", () => {
    const features = activeFrom({ [Feature.BlockV5]: 0 });
    expect(posAlgorithm({ parentHeight: 5, features, functionality })).toEqual(nxt);
  });

  test("takes 15 s and a fraction for 15 s, if the delta is the usual one", () => {
    expect(fairPosOfSettings({ ...functionality, minBlockTimeMs: 14_900, delayDelta: 8 }).minBlockTimeMs).toBe(14_900);
    expect(fairPosOfSettings({ ...functionality, minBlockTimeMs: 15_900, delayDelta: 8 }).minBlockTimeMs).toBe(15_000);
    expect(fairPosOfSettings({ ...functionality, minBlockTimeMs: 15_900, delayDelta: 7 }).minBlockTimeMs).toBe(15_900);
  });
});
