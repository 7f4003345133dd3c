import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { blockLimits } from "../../../src/rules/consensus/block-limits.ts";
import { activeFrom } from "./activation.ts";

test("limits follow the features in force at the parent", () => {
  const features = activeFrom({
    [Feature.Ng]: 10,
    [Feature.MassTransfer]: 20,
    [Feature.Ride4DApps]: 30,
    [Feature.SynchronousCalls]: 40,
  });
  const none = { sizeBytes: undefined, scriptComplexity: undefined };
  expect(blockLimits(9, features)).toEqual({ ...none, transactions: 100, keyBlockTransactions: 100 });
  expect(blockLimits(10, features)).toEqual({ ...none, transactions: 6_000, keyBlockTransactions: 0 });
  const sized = { transactions: undefined, sizeBytes: 1_048_576, keyBlockTransactions: 0 };
  expect(blockLimits(20, features)).toEqual({ ...sized, scriptComplexity: undefined });
  expect(blockLimits(30, features)).toEqual({ ...sized, scriptComplexity: 1_000_000 });
  expect(blockLimits(40, features)).toEqual({ ...sized, scriptComplexity: 2_500_000 });
});
