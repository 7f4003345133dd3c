/** Challenges among committed generators. Names are those of the reference's ChallengingAfterFinalizationSuite. */
import { expect, test } from "vitest";
import { Committee, waves } from "../../support/builders/committee.ts";
import { violationOf, votingViolationOf } from "../../support/builders/violation-of.ts";

const three = { balances: [2_000_000n, 2_000_000n, 1n] };
const poor = 2;

test("Anyone can challenge", () => {
  const committee = Committee.committed({ ...three, members: [0, 1] });
  expect(committee.balanceOf(poor)).toBe(1n * waves);
  const [wrong, challenging] = committee.challenge(0, committee.key(poor));
  expect(violationOf(() => committee.node.append(wrong))).toMatchObject({ code: "stateHashWrong" });
  committee.node.append(challenging);
  expect(committee.chain.stored.tip().id).toEqual(challenging.id);
  expect(challenging.header.finalizationVoting).toBeUndefined();
  // Neither the challenger nor the challenged generator votes by the block.
  expect(committee.view.storedFinalizedHeight(3)).toBe(1);
});

test("a block of a generator that has not committed is refused by itself and not challenged", () => {
  const committee = Committee.committed({ balances: [2_000_000n, 2_000_000n], members: [0] });
  const [, challenging] = committee.challenge(1, committee.key(0));
  expect(violationOf(() => committee.node.append(challenging))).toMatchObject({ code: "generatorNotAllowed" });
});

test("before the feature a challenger needs the minimum balance of its own", () => {
  const committee = new Committee({ ...three, activation: 100 });
  committee.append(0);
  const [, challenging] = committee.challenge(0, committee.key(poor));
  expect(violationOf(() => committee.node.append(challenging))).toMatchObject({
    code: "generatingBalanceTooLow",
    got: 1n * waves,
  });
});

test("a challenging block carries no voting, and the challenged one only a valid one", () => {
  const committee = Committee.committed({ ...three, members: [0, 1] });
  const finalizationVoting = committee.voting({ endorsers: [1] });
  const right = committee.challenge(0, committee.key(poor), { finalizationVoting });
  const bad = committee.challenge(0, committee.key(poor), {
    finalizationVoting: committee.voting({ endorsers: [1], signers: [committee.key(0)] }),
  });
  expect(votingViolationOf(() => committee.node.append(bad[1]))).toEqual({ check: "signatureWrong" });
  const voting = committee.block(poor, {
    timestamp: right[1].header.timestamp,
    challengedHeader: right[1].header.challengedHeader,
    finalizationVoting,
  });
  expect(votingViolationOf(() => committee.node.append(voting))).toEqual({ check: "inChallengingBlock" });
  committee.node.append(right[1]);
  expect(committee.node.height).toBe(3);
});

test("a challenging block is not extended by micro-blocks, and the next key block is by a member again", () => {
  const committee = Committee.committed({ balances: [2_000_000n, 2_000_000n, 1_000_000n], members: [0, 1] });
  const [, challenging] = committee.challenge(0, committee.key(poor));
  committee.node.append(challenging);
  expect(violationOf(() => committee.appendMicroBlock(poor, undefined))).toMatchObject({ code: "microBlockRefused" });
  expect(violationOf(() => committee.append(poor))).toMatchObject({ code: "generatorNotAllowed" });
  committee.append(1);
});
