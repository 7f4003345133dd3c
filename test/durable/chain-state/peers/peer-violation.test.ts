import { expect, test } from "vitest";
import { BranchPutOff } from "../../../../durable/chain-state/chain/candidate-chain.ts";
import { peerViolationOf } from "../../../../durable/chain-state/peers/peer-violation.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import { HistoryMissing } from "../../../../src/rules/state/history-missing.ts";

test("no peer is blacklisted for a block that this node cannot validate", () => {
  const reason = "block 100 may stand below block 3001";
  for (const kind of ["block", "microBlock", "extension"] as const)
    expect(
      peerViolationOf(new HistoryMissing(reason), { kind, isUnderstood: true, isBySnapshots: false }),
    ).toMatchObject({
      ...{ reason, isInvalid: false, isPermanentForId: false, isChallengeable: false },
    });
});

test("no peer is blacklisted for an extension that begins below a finalized height reached since the request", () => {
  const error = new RuleError({ code: "rollbackTooDeep", height: 163, lowestHeight: 165 });
  expect(peerViolationOf(error, { kind: "extension", isUnderstood: true, isBySnapshots: false })).toMatchObject({
    ...{ isInvalid: false, isPermanentForId: false },
  });
});

test("no peer is blacklisted for a branch that has too much to write", () => {
  const error = new BranchPutOff("it weighs less than the chain for 5 characters of rows");
  expect(peerViolationOf(error, { kind: "extension", isUnderstood: true, isBySnapshots: false })).toMatchObject({
    ...{ reason: error.message, isInvalid: false, isPermanentForId: false, isLighter: false, isChallengeable: false },
  });
});
