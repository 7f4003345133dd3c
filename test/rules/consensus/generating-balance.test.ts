import { describe, expect, test } from "vitest";
import { functionalityDefaults } from "../../../src/network/defaults.ts";
import { Feature } from "../../../src/network/features.ts";
import { mainnet } from "../../../src/network/networks/mainnet.ts";
import {
  confirmationWindow,
  type EffectiveBalance,
  generatingBalanceWindow,
  isGeneratingBalanceEnough,
  lowestEffectiveBalance,
  requiredGeneratingBalance,
} from "../../../src/rules/consensus/generating-balance.ts";
import { activeFrom } from "../../support/builders/activation.ts";

const entry = (height: number, effective: bigint): EffectiveBalance => ({ height, effective });

describe("the window", () => {
  const functionality = { ...functionalityDefaults, generationBalanceDepthFrom50To1000AfterHeight: 2_000 };
  const features = activeFrom({ [Feature.RideV6]: 0 });
  const at = (parentHeight: number) => generatingBalanceWindow({ parentHeight, features, functionality });

  test("is 50 blocks deep, and 1000 from a height of the network on", () => {
    expect(at(1_999)).toEqual({ from: 1_950, to: 1_999 });
    expect(at(2_000)).toEqual({ from: 1_001, to: 2_000 });
  });

  test("starts at the first block", () => {
    expect(at(1)).toEqual({ from: 1, to: 1 });
    expect(at(50)).toEqual({ from: 1, to: 50 });
    expect(at(51)).toEqual({ from: 2, to: 51 });
  });

  test("of the third block leaves out the first until feature 17, as the reference does", () => {
    expect(at(2)).toEqual({ from: 1, to: 2 });
    const early = { parentHeight: 2, features: activeFrom({}), functionality };
    expect(generatingBalanceWindow(early)).toEqual({ from: 2, to: 2 });
    expect(generatingBalanceWindow({ ...early, parentHeight: 3 })).toEqual({ from: 1, to: 3 });
  });

  test("of confirmations holds at least the block itself", () => {
    expect(confirmationWindow(10, 0)).toEqual({ from: 10, to: 10 });
    expect(confirmationWindow(10, 1)).toEqual({ from: 10, to: 10 });
    expect(confirmationWindow(10, 3)).toEqual({ from: 8, to: 10 });
    expect(confirmationWindow(10, 30)).toEqual({ from: 1, to: 10 });
  });
});

describe("the lowest effective balance", () => {
  const window = { from: 100, to: 200 };

  test("is the lowest in the window, the entry in force at its start included", () => {
    expect(lowestEffectiveBalance([entry(80, 1n), entry(90, 8n), entry(150, 7n), entry(180, 9n)], window)).toBe(7n);
    expect(lowestEffectiveBalance([entry(98, 1n), entry(99, 3n), entry(180, 9n)], window)).toBe(3n);
    expect(lowestEffectiveBalance([entry(99, 3n), entry(100, 4n), entry(180, 9n)], window)).toBe(4n);
  });

  test("ignores changes after the window", () => {
    expect(lowestEffectiveBalance([entry(1, 6n), entry(200, 5n), entry(201, 0n)], window)).toBe(5n);
  });

  test("is 0 for an account that did not exist at the start", () => {
    expect(lowestEffectiveBalance([entry(150, 9n)], window)).toBe(0n);
    expect(lowestEffectiveBalance([], window)).toBe(0n);
  });

  test("is the whole balance of an account of the genesis block", () => {
    expect(lowestEffectiveBalance([entry(1, 9n)], { from: 1, to: 40 })).toBe(9n);
  });

  test("keeps a negative balance of the first months", () => {
    expect(lowestEffectiveBalance([entry(150, -3n)], window)).toBe(-3n);
  });
});

describe("the minimum", () => {
  const features = activeFrom({ [Feature.SmallerMinimalGeneratingBalance]: 100 });

  test("falls from 10,000 to 1,000 WAVES with feature 1", () => {
    expect(requiredGeneratingBalance(99, features)).toBe(1_000_000_000_000n);
    expect(requiredGeneratingBalance(100, features)).toBe(100_000_000_000n);
  });

  test("does not hold for blocks before the network's switch", () => {
    const { functionality } = mainnet.blockchain;
    const inputs = { generatingBalance: 0n, parentHeight: 5, features, functionality };
    expect(isGeneratingBalanceEnough({ ...inputs, blockTimestampMs: 1_530_161_445_558n })).toBe(true);
    expect(isGeneratingBalanceEnough({ ...inputs, blockTimestampMs: 1_530_161_445_559n })).toBe(false);
    const rich = { ...inputs, blockTimestampMs: 1_530_161_445_559n, generatingBalance: 1_000_000_000_000n };
    expect(isGeneratingBalanceEnough(rich)).toBe(true);
  });
});
