import { expect, test } from "vitest";
import { Feature, implementedFeatures } from "../../../src/network/features.ts";
import { featureOfLibraryVersion, libraryVersions } from "../../../src/protocol/transactions/library-versions.ts";

test("there are the versions of the library whose features this release has", () => {
  expect(libraryVersions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(featureOfLibraryVersion.get(9)).toBe(Feature.DeterministicFinality);
  expect(implementedFeatures.has(Feature.DeterministicFinality)).toBe(true);
});
