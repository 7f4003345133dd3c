/** Votings between the two objects: a round as plain values, endorsements as bytes. */
import { expect, test } from "vitest";
import type { ConflictEndorsement } from "../../../../src/protocol/blocks/block.ts";
import { WireError } from "../../../../src/protocol/errors.ts";
import { encodeEndorsement } from "../../../../src/protocol/messages/endorsement.ts";
import { Committee } from "../../../support/builders/committee.ts";
import { followerOf } from "../../../support/builders/follower.ts";

test("a round is read, and endorsements of it are accepted with the keys that verified them", async () => {
  const committee = Committee.committed({ balances: [2_000_000n, 2_000_000n, 2_000_000n] });
  const { calls } = followerOf(committee.node);
  expect(await calls.votingRound()).toBeUndefined();
  committee.append(1);
  const round = await calls.votingRound();
  expect(structuredClone(round)).toEqual(round);
  expect(round).toMatchObject({ finalizedHeight: 1, generator: 1, endorsedBlockId: committee.idAt(2) });
  const keyOf = (index: number) => round?.endorserKeys[index] as Uint8Array;
  const says = { finalizedBlockId: committee.idAt(1), endorsedBlockId: committee.idAt(2) };
  const endorsements: readonly (readonly [ConflictEndorsement, Uint8Array])[] = [
    [committee.conflict(2, says), keyOf(2)],
    [committee.conflict(2, says), keyOf(2)],
    // Signature of another endorser, not verified.
    [{ ...committee.conflict(2), endorserIndex: 0 }, keyOf(2)],
    [committee.conflict(1, says), keyOf(1)],
    [committee.conflict(2), keyOf(2)],
  ];
  const submissions = endorsements.map(([endorsement, verifiedBy]) => ({
    endorsement: encodeEndorsement(endorsement),
    verifiedBy,
  }));
  expect(await calls.applyEndorsements(submissions)).toEqual([true, false, false, false, true]);
});

test("bytes that are no endorsement are an error of the caller", async () => {
  const { calls } = followerOf(Committee.committed().node);
  const nothing = { endorsement: Uint8Array.of(1), verifiedBy: new Uint8Array(48) };
  await expect(calls.applyEndorsements([nothing])).rejects.toThrow(WireError);
});
