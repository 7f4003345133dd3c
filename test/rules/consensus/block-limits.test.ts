import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { blockLimits, ownBlockLimits } from "../../../src/rules/consensus/block-limits.ts";
import { activeFrom } from "../../support/builders/activation.ts";

const features = activeFrom({
  [Feature.Ng]: 10,
  [Feature.MassTransfer]: 20,
  [Feature.Ride4DApps]: 30,
  [Feature.SynchronousCalls]: 40,
});
const none = { sizeBytes: undefined, scriptComplexity: undefined };
const sized = { transactions: undefined, sizeBytes: 1_048_576, keyBlockTransactions: 0 };

// Same as in a reference node that saw the parent arrive: MiningConstraints(rocksdb, rocksdb.height) while the parent
// is its liquid block, which rocksdb does not count.
test("limits follow the features in force before the parent", () => {
  expect(blockLimits(10, features)).toEqual({ ...none, transactions: 100, keyBlockTransactions: 100 });
  expect(blockLimits(11, features)).toEqual({ ...none, transactions: 6_000, keyBlockTransactions: 0 });
  expect(blockLimits(20, features)).toEqual({ ...none, transactions: 6_000, keyBlockTransactions: 0 });
  expect(blockLimits(21, features)).toEqual({ ...sized, scriptComplexity: undefined });
  expect(blockLimits(31, features)).toEqual({ ...sized, scriptComplexity: 1_000_000 });
  expect(blockLimits(40, features)).toEqual({ ...sized, scriptComplexity: 1_000_000 });
  expect(blockLimits(41, features)).toEqual({ ...sized, scriptComplexity: 2_500_000 });
});

test("an own block also has the limits in force at the parent", () => {
  expect(ownBlockLimits(10, features)).toEqual({ ...none, transactions: 100, keyBlockTransactions: 0 });
  expect(ownBlockLimits(20, features)).toEqual({ ...sized, transactions: 6_000, scriptComplexity: undefined });
  expect(ownBlockLimits(30, features)).toEqual({ ...sized, scriptComplexity: 1_000_000 });
  expect(ownBlockLimits(40, features)).toEqual({ ...sized, scriptComplexity: 1_000_000 });
  for (const parentHeight of [9, 15, 25, 35, 45])
    expect(ownBlockLimits(parentHeight, features)).toEqual(blockLimits(parentHeight, features));
});
