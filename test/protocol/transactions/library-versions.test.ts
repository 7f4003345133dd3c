import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { featureOfLibraryVersion, libraryVersions } from "../../../src/protocol/transactions/library-versions.ts";

test("each version of the library has a feature that brings it", () => {
  expect(libraryVersions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(featureOfLibraryVersion.get(9)).toBe(Feature.DeterministicFinality);
});
