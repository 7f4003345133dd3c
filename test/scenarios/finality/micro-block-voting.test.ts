/**
 * Votings of micro-blocks. Names are those of the reference's MicroBlockAppendingAfterFinalizationSpec, where it has
 * one.
 */
import { describe, expect, test } from "vitest";
import { stateTables } from "../../../src/tables/all-tables.ts";
import { Committee, commitmentFee, waves } from "../../support/builders/committee.ts";
import { votingViolationOf } from "../../support/builders/violation-of.ts";

const tables = [...stateTables.map(({ name }) => name), "undo"];
const three = { balances: [2_000_000n, 2_000_000n, 2_000_000n] };

/** Committee whose tip is block 3 of the first account: votes are for the parent, block 2. */
function atThree(options: Parameters<typeof Committee.committed>[0] = three): Committee {
  const committee = Committee.committed(options);
  committee.append(0);
  return committee;
}

describe("second microblock appended if first is invalid", () => {
  test("invalid endorsement", () => {
    const committee = atThree();
    const before = committee.node.database.dump(tables);
    const endorsedBlockId = committee.idAt(2);
    const wrong = committee.voting({ endorsers: [0], endorsedBlockId });
    expect(votingViolationOf(() => committee.appendMicroBlock(0, wrong))).toEqual({
      check: "isGenerator",
      list: "endorsers",
      index: 0,
    });
    expect(committee.node.database.dump(tables)).toBe(before);
    committee.appendMicroBlock(0, undefined);
    expect(committee.chain.stored.microBlockCount()).toBe(1);
  });

  test("more than max endorsements", () => {
    const committee = atThree({ ...three, functionality: { maxValidEndorsements: 1 } });
    const wrong = committee.voting({ endorsers: [1, 2], endorsedBlockId: committee.idAt(2) });
    expect(votingViolationOf(() => committee.appendMicroBlock(0, wrong))).toMatchObject({ check: "tooManyEndorsers" });
    committee.appendMicroBlock(0, undefined);
  });

  test("duplicate conflicting endorsement", () => {
    const committee = atThree();
    const conflicts = [committee.conflict(1, { endorsedBlockId: committee.idAt(2) })];
    committee.appendMicroBlock(0, committee.voting({ conflicts }));
    expect(votingViolationOf(() => committee.appendMicroBlock(0, committee.voting({ conflicts })))).toEqual({
      check: "listedTwice",
      list: "conflicts",
      index: 1,
    });
    committee.appendMicroBlock(0, undefined);
    expect(committee.chain.stored.microBlockCount()).toBe(2);
  });

  test("and an endorsement of the block itself, not of its parent", () => {
    const committee = atThree();
    const wrong = committee.voting({ endorsers: [1] });
    expect(votingViolationOf(() => committee.appendMicroBlock(0, wrong))).toEqual({ check: "signatureWrong" });
    committee.appendMicroBlock(0, committee.voting({ endorsers: [1], endorsedBlockId: committee.idAt(2) }));
  });
});

test.each([
  ["of the generator", { endorsers: [0] }, {}, { check: "isGenerator", list: "endorsers", index: 0 }],
  [
    "whose finalized height is the parent's",
    { endorsers: [1], finalizedHeight: 2 },
    {},
    { check: "finalizedHeightTooHigh", highest: 1, got: 2 },
  ],
  [
    "whose finalized height is 0",
    { endorsers: [1] },
    { finalizedHeight: 0 },
    { check: "finalizedHeightTooLow", got: 0 },
  ],
  ["of nothing", {}, {}, { check: "nothingListed" }],
] as const)("a micro-block with a voting %s leaves nothing", (_, says, changes, violation) => {
  const committee = atThree();
  const before = committee.node.database.dump(tables);
  const voting = { ...committee.voting({ ...says, endorsedBlockId: committee.idAt(2) }), ...changes };
  expect(votingViolationOf(() => committee.appendMicroBlock(0, voting))).toEqual(violation);
  expect(committee.node.database.dump(tables)).toBe(before);
});

test("conflicts of earlier micro-blocks are measured by the newest voting's finalized height", () => {
  const committee = atThree();
  committee.append(0);
  const endorsedBlockId = committee.idAt(3);
  const conflicts = [committee.conflict(1, { finalizedHeight: 2, endorsedBlockId })];
  committee.appendMicroBlock(0, committee.voting({ conflicts, finalizedHeight: 2 }));
  const lower = committee.voting({ endorsers: [2], finalizedHeight: 1, endorsedBlockId });
  expect(votingViolationOf(() => committee.appendMicroBlock(0, lower))).toEqual({
    check: "conflictAboveVoting",
    index: 1,
    highest: 1,
    got: 2,
  });
  committee.appendMicroBlock(0, committee.voting({ endorsers: [2], finalizedHeight: 2, endorsedBlockId }));
  expect(committee.view.findHeader(4)?.header.finalizationVoting).toMatchObject({
    endorserIndexes: [2],
    finalizedHeight: 2,
    conflictEndorsements: conflicts,
  });
});

test("reaching, losing and reaching again finalization, calculation in keyblock", () => {
  const committee = atThree({ balances: [2_000n, 5_000n, 3_000n], members: [0, 1, 2] });
  const endorsedBlockId = committee.idAt(2);
  const { view, stored } = committee.chain;
  expect(view.storedFinalizedHeight(3)).toBe(1);
  // 7 of 10.
  committee.appendMicroBlock(0, committee.voting({ endorsers: [1], endorsedBlockId }));
  expect(view.storedFinalizedHeight(3)).toBe(2);
  // 2 of 5.
  const conflicts = [committee.conflict(1, { endorsedBlockId })];
  committee.appendMicroBlock(0, committee.voting({ conflicts }));
  expect(view.storedFinalizedHeight(3)).toBe(1);
  committee.appendMicroBlock(0, committee.voting({ endorsers: [2], endorsedBlockId }));
  expect(stored.finalizedHeight()).toBe(1);
  committee.append(0);
  expect(stored.finalizedHeight()).toBe(2);
  const { finalizationVoting } = committee.view.findHeader(3)?.header ?? {};
  expect(finalizationVoting).toMatchObject({ endorserIndexes: [2], conflictEndorsements: conflicts });
});

test("a block finalizes by its complete voting in the end, whether it arrived in micro-blocks or whole", () => {
  const options = { balances: [2_000n, 5_000n, 3_000n] };
  const committee = atThree(options);
  const endorsedBlockId = committee.idAt(2);
  committee.appendMicroBlock(0, committee.voting({ endorsers: [1], endorsedBlockId }));
  committee.appendMicroBlock(0, committee.voting({ conflicts: [committee.conflict(1, { endorsedBlockId })] }));
  const whole = committee.chain.stored.findBlock(3);
  const second = committee.chain.stored.findBlock(2);
  const other = new Committee(options);
  for (const block of [second, whole]) if (block !== undefined) other.node.append(block);
  expect(other.chain.stored.tip().id).toEqual(committee.chain.stored.tip().id);
  expect(other.chain.stored.tip().stateHash).toEqual(committee.chain.stored.tip().stateHash);
  expect(other.view.storedFinalizedHeight(3)).toBe(1);
  expect(committee.view.storedFinalizedHeight(3)).toBe(1);
  expect(other.view.conflicts(3)).toEqual(new Map([[1, 3]]));
});

test("the voting of the block is that of its last micro-block with one, and conflicts add up", () => {
  const committee = atThree({ balances: Array(4).fill(2_000_000n) as bigint[] });
  const endorsedBlockId = committee.idAt(2);
  const conflict = (index: number) => committee.conflict(index, { endorsedBlockId });
  const votings = [
    committee.voting({ endorsers: [1, 2], endorsedBlockId }),
    undefined,
    committee.voting({ endorsers: [1], conflicts: [conflict(2)], endorsedBlockId }),
    committee.voting({ endorsers: [1], conflicts: [conflict(3)], endorsedBlockId }),
  ];
  for (const voting of votings) committee.appendMicroBlock(0, voting);
  expect(committee.view.findHeader(3)?.header.finalizationVoting).toMatchObject({
    endorserIndexes: [1],
    conflictEndorsements: [conflict(2), conflict(3)],
  });
  expect([...committee.view.conflicts(3)]).toEqual([
    [2, 3],
    [3, 3],
  ]);
  // A member listed as conflicting may not endorse later on.
  const late = committee.voting({ endorsers: [2], endorsedBlockId });
  expect(votingViolationOf(() => committee.appendMicroBlock(0, late))).toEqual({
    check: "endorsesAndConflicts",
    index: 2,
  });
});

test("checks BLS signature in microblock", () => {
  const committee = atThree();
  const signers = [committee.key(2)];
  const wrong = committee.voting({ endorsers: [1], signers, endorsedBlockId: committee.idAt(2) });
  expect(votingViolationOf(() => committee.appendMicroBlock(0, wrong))).toEqual({ check: "signatureWrong" });
});

test("the voting of a micro-block is rolled back with it: a key block on an earlier form does not have it", () => {
  const committee = atThree({ ...three, balances: [3_000_000n, 2_000_000n, 2_000_000n] });
  const endorsedBlockId = committee.idAt(2);
  committee.appendMicroBlock(0, undefined);
  const next = committee.block(0);
  const conflicts = [committee.conflict(1, { endorsedBlockId })];
  committee.appendMicroBlock(0, committee.voting({ endorsers: [2], conflicts, endorsedBlockId }));
  expect(committee.view.storedFinalizedHeight(3)).toBe(2);
  expect(committee.chain.liquid.generators().weights.map((weight) => weight > 0n)).toEqual([true, true, true]);
  expect(committee.view.conflicts(3)).toEqual(new Map([[1, 3]]));
  committee.node.append(next);
  expect(committee.view.conflicts(3)).toEqual(new Map());
  expect(committee.view.storedFinalizedHeight(3)).toBe(1);
  expect(committee.chain.stored.finalizedHeight()).toBe(1);
  // The remaining micro-block has paid it one wavelet.
  expect(committee.balanceOf(1)).toBe(2_000_000n * waves - commitmentFee + 1n);
});
