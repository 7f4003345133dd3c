import { expect, test } from "vitest";
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
