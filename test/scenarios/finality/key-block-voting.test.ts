/**
 * Votings of key blocks. Names and numbers are those of the reference's BlockValidationAfterFinalizationSpec, where it
 * has one.
 */
import { describe, expect, test } from "vitest";
import type { BlockId, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { encodeBlock, parseBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { Committee, type CommitteeOptions, chainId, deposit, waves } from "../../support/builders/committee.ts";
import { violationOf, votingViolationOf } from "../../support/builders/violation-of.ts";

const three = { balances: [2_000_000n, 2_000_000n, 2_000_000n] };

/** Violation by block 3 of the first account with this voting. The chain stays as it was. */
function violationAtThree(
  votingOf: (committee: Committee) => FinalizationVoting,
  options: CommitteeOptions = {},
): ReturnType<typeof votingViolationOf> {
  const committee = Committee.committed({ ...three, ...options });
  const voting = votingOf(committee);
  const violation = votingViolationOf(() => committee.append(0, { finalizationVoting: voting }));
  expect(committee.node.height).toBe(violation === undefined ? 3 : 2);
  return violation;
}

describe("should append a valid block", () => {
  test("with finalization voting", () => {
    expect(violationAtThree((committee) => committee.voting({ endorsers: [1] }))).toBeUndefined();
  });

  test("in any order of the endorsers", () => {
    for (const endorsers of [
      [1, 2],
      [2, 1],
    ])
      expect(violationAtThree((committee) => committee.voting({ endorsers }))).toBeUndefined();
  });

  test("with a contradiction whose ids are of no block, whatever their lengths, as it comes from a peer", () => {
    const bytesOf = (length: number) => new Uint8Array(length).fill(7) as Uint8Array as BlockId;
    for (const [finalizedLength, endorsedLength] of [
      [31, 32],
      [0, 0],
      [64, 5],
      [33, 1_000],
    ] as const) {
      const committee = Committee.committed(three);
      const conflict = committee.conflict(1, {
        finalizedBlockId: bytesOf(finalizedLength),
        endorsedBlockId: bytesOf(endorsedLength),
      });
      const block = committee.block(0, { finalizationVoting: committee.voting({ conflicts: [conflict] }) });
      const received = parseBlock(encodeBlock(block, chainId), chainId);
      expect(received.id).toEqual(block.id);
      committee.node.append(received);
      expect(committee.view.conflicts(3)).toEqual(new Map([[1, 3]]));
    }
  });

  test("with an endorser and another generator with a conflicting endorsement", () => {
    expect(
      violationAtThree((committee) => committee.voting({ endorsers: [1], conflicts: [committee.conflict(2)] })),
    ).toBeUndefined();
  });
});

describe("should not append an invalid block", () => {
  test("before the feature", () => {
    const committee = new Committee({ ...three, activation: 4 });
    committee.append(0);
    const voting = committee.voting({ endorsers: [1] });
    const violation = { check: "featureNotActive" };
    expect(votingViolationOf(() => committee.append(0, { finalizationVoting: voting }))).toEqual(violation);
  });

  test("with a voting where no account has committed", () => {
    const committee = new Committee(three);
    committee.append(0);
    const voting = committee.voting({ endorsers: [1] });
    const violation = { check: "indexUnknown", list: "endorsers", committed: 0, index: 1 };
    expect(votingViolationOf(() => committee.append(0, { finalizationVoting: voting }))).toEqual(violation);
    const conflicts = [committee.conflict(1)];
    expect(
      votingViolationOf(() => committee.append(0, { finalizationVoting: committee.voting({ conflicts }) })),
    ).toEqual({
      ...violation,
      list: "conflicts",
    });
  });

  test("with a voting that is empty", () => {
    const nothing = { endorserIndexes: [], aggregatedEndorsementSignature: undefined, conflictEndorsements: [] };
    expect(violationAtThree(() => ({ ...nothing, finalizedHeight: 1 }))).toEqual({ check: "nothingListed" });
    const violation = { check: "finalizedHeightTooLow", got: 0 };
    expect(violationAtThree(() => ({ ...nothing, finalizedHeight: 0 }))).toEqual(violation);
  });

  test("finalization height is less than genesis height", () => {
    for (const got of [0, -1])
      expect(
        violationAtThree((committee) => ({
          ...committee.voting({ conflicts: [committee.conflict(1)] }),
          finalizedHeight: got,
        })),
      ).toEqual({ check: "finalizedHeightTooLow", got });
  });

  test("voting for finalized block", () => {
    for (const got of [2, 3, 4])
      expect(
        violationAtThree((committee) => ({
          ...committee.voting({ endorsers: [1], finalizedHeight: 2 }),
          finalizedHeight: got,
        })),
      ).toEqual({ check: "finalizedHeightTooHigh", highest: 1, got });
  });

  test("miner endorsement", () => {
    const violation = { check: "isGenerator", list: "endorsers", index: 0 };
    expect(violationAtThree((committee) => committee.voting({ endorsers: [0] }))).toEqual(violation);
    expect(violationAtThree((committee) => committee.voting({ endorsers: [1, 0] }))).toEqual(violation);
  });

  test("with endorsement of poor generator", () => {
    const committee = Committee.committed({ ...three, functionality: { generationPeriodLength: 2 } });
    const rest = 2n * waves;
    const spent = committee.balanceOf(1) - deposit - rest;
    committee.append(0, { transactions: [committee.transfer(1, spent - 100_000n, committee.key(0))] });
    const finalizationVoting = committee.voting({ endorsers: [1] });
    const violation = { check: "endorserNotAllowed", index: 1 };
    expect(votingViolationOf(() => committee.append(0, { finalizationVoting }))).toEqual(violation);
    // The account has a deposit, which it may lose: a conflicting endorsement has no further requirement.
    const conflicts = [committee.conflict(1)];
    committee.append(0, { finalizationVoting: committee.voting({ conflicts }) });
  });

  test("nonempty aggregated signature, but empty valid endorsers", () => {
    expect(
      violationAtThree((committee) =>
        committee.voting({ conflicts: [committee.conflict(1)], signers: [committee.key(2)] }),
      ),
    ).toEqual({ check: "signatureWithoutEndorsers" });
  });

  test("empty aggregated signature, but nonempty valid endorsers", () => {
    expect(violationAtThree((committee) => committee.voting({ endorsers: [1], signers: [] }))).toEqual({
      check: "signatureMissing",
    });
  });

  test("with an aggregated signature of others, of more, of fewer, or over something else", () => {
    const wrong: readonly ((committee: Committee) => FinalizationVoting)[] = [
      (committee) => committee.voting({ endorsers: [1], signers: [committee.key(2)] }),
      (committee) => committee.voting({ endorsers: [1], signers: [committee.key(1), committee.key(2)] }),
      (committee) => committee.voting({ endorsers: [1, 2], signers: [committee.key(1)] }),
      (committee) => committee.voting({ endorsers: [1], endorsedBlockId: committee.idAt(1) }),
      (committee) => committee.voting({ endorsers: [1], finalizedBlockId: committee.idAt(2) }),
      (committee) => ({ ...committee.voting({ endorsers: [1], finalizedHeight: 2 }), finalizedHeight: 1 }),
      (committee) => ({
        ...committee.voting({ endorsers: [1] }),
        aggregatedEndorsementSignature: new Uint8Array(96),
      }),
    ];
    for (const voting of wrong) expect(violationAtThree(voting)).toEqual({ check: "signatureWrong" });
  });

  test("more than max valid endorsers", () => {
    const five = { balances: Array(5).fill(2_000_000n) as bigint[], functionality: { maxValidEndorsements: 1 } };
    expect(violationAtThree((committee) => committee.voting({ endorsers: [1, 2, 3, 4] }), five)).toEqual({
      check: "tooManyEndorsers",
      allowed: 1,
      got: 4,
    });
  });

  test("with a hundred thousand endorsers, or as many conflicts, before any signature is looked at", () => {
    const indexes = Array.from({ length: 100_000 }, (_, index) => index);
    expect(
      violationAtThree((committee) => ({ ...committee.voting({ endorsers: [1] }), endorserIndexes: indexes })),
    ).toMatchObject({ check: "tooManyEndorsers", got: 100_000 });
    expect(
      violationAtThree((committee) => {
        const one = committee.conflict(1);
        const conflictEndorsements = indexes.slice(1).map((endorserIndex) => ({ ...one, endorserIndex }));
        return { ...committee.voting(), conflictEndorsements };
      }),
    ).toEqual({ check: "indexUnknown", list: "conflicts", committed: 3, index: 3 });
  });

  test("with an unknown index, or a repeated one", () => {
    const list = "endorsers";
    const signed = (committee: Committee) => committee.voting({ endorsers: [1] });
    for (const index of [3, -1, 2_147_483_647])
      expect(violationAtThree((committee) => ({ ...signed(committee), endorserIndexes: [index] }))).toEqual({
        ...{ check: "indexUnknown", list, committed: 3, index },
      });
    expect(violationAtThree((committee) => ({ ...signed(committee), endorserIndexes: [1, 1] }))).toEqual({
      ...{ check: "listedTwice", list, index: 1 },
    });
  });

  describe("conflicting endorsement", () => {
    test("duplicate in one block", () => {
      const violation = { check: "listedTwice", list: "conflicts", index: 1 };
      expect(
        violationAtThree((committee) =>
          committee.voting({ conflicts: [committee.conflict(1), committee.conflict(1)] }),
        ),
      ).toEqual(violation);
    });

    test("duplicate in multiple blocks of one epoch", () => {
      const committee = Committee.committed(three);
      committee.append(0, { finalizationVoting: committee.voting({ conflicts: [committee.conflict(1)] }) });
      const again = committee.voting({ conflicts: [committee.conflict(1)] });
      const violation = { check: "conflictedBefore", index: 1, height: 3 };
      expect(votingViolationOf(() => committee.append(0, { finalizationVoting: again }))).toEqual(violation);
    });

    test("and valid from same endorser in one block", () => {
      expect(
        violationAtThree((committee) => committee.voting({ endorsers: [1], conflicts: [committee.conflict(1)] })),
      ).toEqual({ check: "endorsesAndConflicts", index: 1 });
    });

    test("and valid from same endorser in multiple blocks of one epoch", () => {
      const committee = Committee.committed(three);
      committee.append(0, { finalizationVoting: committee.voting({ conflicts: [committee.conflict(1)] }) });
      const later = committee.voting({ endorsers: [1] });
      const violation = { check: "endorserNotAllowed", index: 1 };
      expect(votingViolationOf(() => committee.append(0, { finalizationVoting: later }))).toEqual(violation);
    });

    test("finalization height is greater than in voting", () => {
      const violation = { check: "conflictAboveVoting", index: 1, highest: 1, got: 3 };
      expect(
        violationAtThree((committee) =>
          committee.voting({ conflicts: [committee.conflict(1, { finalizedHeight: 3 })] }),
        ),
      ).toEqual(violation);
    });

    test("finalized block exists (valid endorsement among conflicting)", () => {
      const violation = { check: "noConflict", index: 1, height: 1 };
      expect(
        violationAtThree((committee) =>
          committee.voting({ conflicts: [committee.conflict(1, { finalizedBlockId: committee.idAt(1) })] }),
        ),
      ).toEqual(violation);
    });

    test("of a height at which there is no block", () => {
      const violation = { check: "blockUnknown", height: 0 };
      expect(
        violationAtThree((committee) =>
          committee.voting({ conflicts: [committee.conflict(1, { finalizedHeight: 0 })] }),
        ),
      ).toEqual(violation);
    });

    test("of the miner", () => {
      const violation = { check: "isGenerator", list: "conflicts", index: 0 };
      expect(violationAtThree((committee) => committee.voting({ conflicts: [committee.conflict(0)] }))).toEqual(
        violation,
      );
    });

    test("with a signature of another key, or over other bytes", () => {
      const violation = { check: "conflictSignatureWrong", index: 1 };
      const wrong: readonly ((committee: Committee) => ReturnType<Committee["conflict"]>)[] = [
        (committee) => committee.conflict(1, {}, committee.key(2)),
        (committee) => ({ ...committee.conflict(1), endorsedBlockId: committee.idAt(1) }),
        (committee) => ({ ...committee.conflict(1), finalizedBlockId: committee.idAt(2) }),
      ];
      for (const conflict of wrong)
        expect(violationAtThree((committee) => committee.voting({ conflicts: [conflict(committee)] }))).toEqual(
          violation,
        );
    });
  });
});

test("every violation of a voting has its own message", () => {
  const committee = Committee.committed(three);
  const messages = new Set<string>();
  const wrong = [
    committee.voting({ endorsers: [0] }),
    committee.voting({ endorsers: [1], signers: [] }),
    committee.voting({ conflicts: [committee.conflict(0)] }),
    committee.voting({ endorsers: [1], signers: [committee.key(2)] }),
  ];
  for (const finalizationVoting of wrong)
    try {
      committee.append(0, { finalizationVoting });
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      messages.add(describeViolation(error.violation));
    }
  expect([...messages]).toEqual([
    "Finalization voting is invalid: index 0 among its endorsers is the generator of the block",
    "Finalization voting is invalid: it lists endorsers, and has no aggregated signature",
    "Finalization voting is invalid: index 0 among its conflicts is the generator of the block",
    "Finalization voting is invalid: its aggregated signature does not verify",
  ]);
  expect(violationOf(() => committee.append(0))).toBeUndefined();
});
