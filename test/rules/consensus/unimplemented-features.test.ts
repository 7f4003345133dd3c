import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { unimplementedFeatures } from "../../../src/rules/consensus/unimplemented-features.ts";

test("features without rules here stop the chain from the height of their activation, and are named in order", () => {
  const activations = new Map<number, number>([
    [99, 20],
    [76, 10],
    [Feature.LightNode, 5],
    [77, 20],
  ]);
  expect(unimplementedFeatures(9, activations)).toEqual([]);
  expect(unimplementedFeatures(10, activations)).toEqual([76]);
  expect(unimplementedFeatures(20, activations)).toEqual([76, 77, 99]);
});
