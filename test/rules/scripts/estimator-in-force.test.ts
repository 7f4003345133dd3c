import { expect, test } from "vitest";
import { functionalityDefaults } from "../../../src/network/defaults.ts";
import { Feature } from "../../../src/network/features.ts";
import { estimatorInForce, estimatorOfCallables } from "../../../src/rules/scripts/estimator-in-force.ts";
import { activeFrom } from "../../support/builders/activation.ts";

test("complexities of callables are by the estimator of their setting, or by the foreseen next one", () => {
  const features = activeFrom({ [Feature.BlockReward]: 10, [Feature.BlockV5]: 20, [Feature.RideV6]: 30 });
  const functionality = { ...functionalityDefaults, estimatorSumOverflowFixHeight: 0, estimationOverflowFixHeight: 15 };
  const shown = (setAt: number, tip: number) => estimatorOfCallables(features, { setAt, tip }, functionality);
  expect([shown(5, 5), shown(5, 12)]).toEqual([1, 2]);
  const foreseen = { hasOverhead: false, fixesArguments: true };
  expect(shown(12, 25)).toEqual({ ...foreseen, fixesOverflow: false });
  expect(shown(16, 25)).toEqual({ ...foreseen, fixesOverflow: true });
  expect(shown(25, 35)).toEqual(estimatorInForce(features, 25, functionality));
});
