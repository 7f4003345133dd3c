import { expect, test } from "vitest";
import { BranchTooLong } from "../../durable/chain/finished-blocks.ts";
import { faultOfPeer } from "../../durable/peer-judgement.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { HistoryMissing } from "../../src/rules/state/history-missing.ts";

test("nobody is shut out for a block that this node has not what it takes to judge", () => {
  const reason = "block 100 may stand below block 3001";
  for (const offer of ["block", "microBlock", "extension"] as const)
    expect(faultOfPeer(new HistoryMissing(reason), { offer, isUnderstood: true, isBySnapshots: false })).toMatchObject({
      ...{ reason, isInvalid: false, holdsForId: false, isChallengeable: false },
    });
});

test("nobody is shut out for an extension below which this chain has become final since it was asked for", () => {
  const error = new RuleError({ code: "rollbackTooDeep", height: 163, lowestHeight: 165 });
  expect(faultOfPeer(error, { offer: "extension", isUnderstood: true, isBySnapshots: false })).toMatchObject({
    ...{ isInvalid: false, holdsForId: false },
  });
});

test("nobody is shut out for a branch that has too much to write", () => {
  const error = new BranchTooLong("it weighs less than the chain for 5 characters of rows");
  expect(faultOfPeer(error, { offer: "extension", isUnderstood: true, isBySnapshots: false })).toMatchObject({
    ...{ reason: error.message, isInvalid: false, holdsForId: false, isLighter: false, isChallengeable: false },
  });
});
