import { expect, test } from "vitest";
import { baseTargetAfter, drawnHitSource, headerAt } from "../../../src/rules/consensus/next-block.ts";
import { chainOfThree, once } from "../../support/builders/next-block.ts";
import { InMemoryState } from "../../support/fakes/in-memory-state.ts";

const viewOfThree = once(() => chainOfThree().chain.view);

test("a header is read if the chain has one", () => {
  expect(headerAt(viewOfThree(), 3)).toEqual(viewOfThree().findHeader(3));
  expect(() => headerAt(viewOfThree(), 4)).toThrow("no block is known at height 4");
});

test("a missing hit source is an error of the state", () => {
  expect(drawnHitSource(viewOfThree())).toEqual(viewOfThree().findHitSource(3));
  expect(() => drawnHitSource(new InMemoryState({ height: 150 }))).toThrow("no hit source is known at height 50");
});

test("the base target looks back at the block three below", () => {
  const view = viewOfThree();
  const { baseTarget } = headerAt(view, 3).header;
  const third = headerAt(view, 1).header.timestamp;
  const meanMs = BigInt(view.settings.genesis.averageBlockDelayMs);
  expect(baseTargetAfter(view, third + 3n * meanMs)).toBe(baseTarget);
  expect(baseTargetAfter(view, third + 6n * meanMs)).toBe(baseTarget + baseTarget / 100n);
});
