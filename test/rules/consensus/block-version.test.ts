import { describe, expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { mainnet } from "../../../src/network/networks/mainnet.ts";
import {
  expectedBlockVersion,
  hasLightNodeFields,
  isBlockPossible,
} from "../../../src/rules/consensus/block-version.ts";
import { activeFrom } from "../../support/builders/activation.ts";

const { functionality } = mainnet.blockchain;

describe("the version of a block", () => {
  const features = activeFrom({ [Feature.BlockReward]: 1_740_000, [Feature.BlockV5]: 2_000_000 });
  const at = (height: number) => expectedBlockVersion({ height, features, functionality });

  test.each([
    [1, 1],
    [2, 2],
    [795_000, 2],
    [795_001, 2],
    [795_002, 3],
    [1_739_999, 3],
    [1_740_000, 3],
    [1_740_001, 4],
    [1_999_999, 4],
    [2_000_000, 5],
    [4_000_000, 5],
  ])("at height %d of mainnet is %d", (height, version) => {
    expect(at(height)).toBe(version);
  });

  test("is 3 from the second block on, if version 3 is set to come after the maximum height: the sum wraps", () => {
    const never = { ...functionality, blockVersion3AfterHeight: 2_147_483_647 };
    const none = activeFrom({});
    expect([1, 2].map((height) => expectedBlockVersion({ height, features: none, functionality: never }))).toEqual([
      1, 3,
    ]);
  });

  test("is 5 from the second block on if everything is in force from the start", () => {
    const all = activeFrom({ [Feature.BlockReward]: 1, [Feature.BlockV5]: 0 });
    expect([1, 2, 3].map((height) => expectedBlockVersion({ height, features: all, functionality }))).toEqual([
      1, 5, 5,
    ]);
  });
});

test("the fields of feature 22 come an interval after its activation", () => {
  const settings = { functionality: { ...functionality, lightNodeBlockFieldsAbsenceInterval: 10 } };
  const features = activeFrom({ [Feature.LightNode]: 100 });
  expect([109, 110].map((height) => hasLightNodeFields({ ...settings, height, features }))).toEqual([false, true]);
  expect(hasLightNodeFields({ ...settings, height: 1_000, features: activeFrom({}) })).toBe(false);
});

test("an infinite interval wraps around the feature's height, as the reference's 32-bit sum does", () => {
  const settings = { functionality: { ...functionality, lightNodeBlockFieldsAbsenceInterval: 2 ** 31 - 1 } };
  const at = (activation: number) =>
    hasLightNodeFields({ ...settings, height: 2, features: activeFrom({ [Feature.LightNode]: activation }) });
  expect([at(0), at(1)]).toEqual([false, true]);
});

test("if feature 22 requires fields before feature 15 adds them, no block is possible until it does", () => {
  const settings = { functionality: { ...functionality, lightNodeBlockFieldsAbsenceInterval: 10 } };
  const features = activeFrom({ [Feature.LightNode]: 100, [Feature.BlockV5]: 115 });
  const possible = (height: number) => isBlockPossible({ ...settings, height, features });
  expect([109, 110, 114, 115].map(possible)).toEqual([true, false, false, true]);
});
