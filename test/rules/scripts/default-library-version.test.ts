import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { defaultLibraryVersion } from "../../../src/rules/scripts/default-library-version.ts";
import { activeFrom } from "../../support/builders/activation.ts";

test("a source without a version gets 3, 4 from feature 11 on, 5 from feature 16 on", () => {
  const features = activeFrom({ [Feature.Ride4DApps]: 10, [Feature.SynchronousCalls]: 20 });
  expect([9, 10, 19, 20].map((height) => defaultLibraryVersion(features, height))).toEqual([3, 4, 4, 5]);
});
