import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import type { ChallengedHeader } from "../../../src/protocol/blocks/block.ts";
import { acceptsMicroBlocks, isExtendedByGenerator } from "../../../src/rules/consensus/extensible-blocks.ts";
import { activeFrom } from "../../support/builders/activation.ts";

const heights = [9, 10, 11, 12, 13];
const ordinary = { challengedHeader: undefined };

test("blocks after the height of feature 2 accept micro-blocks, and generators begin one block later", () => {
  const features = activeFrom({ [Feature.Ng]: 10 });
  const blocks = heights.map((height) => ({ height, header: ordinary }));
  expect(blocks.map((block) => acceptsMicroBlocks(block, features))).toEqual([false, false, true, true, true]);
  expect(blocks.map((block) => isExtendedByGenerator(block, features))).toEqual([false, false, false, true, true]);
});

test("a challenging block accepts none", () => {
  const features = activeFrom({ [Feature.Ng]: 0 });
  const block = { height: 10, header: { challengedHeader: {} as ChallengedHeader } };
  expect([acceptsMicroBlocks(block, features), isExtendedByGenerator(block, features)]).toEqual([false, false]);
});

test("if feature 2 is active from the start the genesis block accepts micro-blocks, and the next is extended", () => {
  const features = activeFrom({ [Feature.Ng]: 0 });
  const blocks = [1, 2].map((height) => ({ height, header: ordinary }));
  expect(blocks.map((block) => acceptsMicroBlocks(block, features))).toEqual([true, true]);
  expect(blocks.map((block) => isExtendedByGenerator(block, features))).toEqual([false, true]);
});
