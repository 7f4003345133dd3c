import { describe, expect, it } from "vitest";
import { blsVerify } from "../../../src/crypto/bls.ts";
import { concatBytes, equalBytes } from "../../../src/crypto/bytes.ts";
import type { BlockId, ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { EndorsementPool } from "../../../src/rules/finality/endorsement-pool.ts";
import { endorsementBy, generatorsWith, roundOf, someBlockId } from "../../support/builders/test-generators.ts";

/** Chain whose block at a height has the id of that number. */
const isOurBlock = (id: BlockId, height: number): boolean => equalBytes(id, someBlockId(height));

/**
 * Pool in the round whose generator is the last of four, of which the first has no vote, and its number of
 * verifications.
 */
function poolInRound() {
  const generators = generatorsWith(0n, 30n, 20n, 50n);
  const pool = new EndorsementPool();
  const round = roundOf(generators, 3);
  pool.begin(round);
  let verified = 0;
  const isSigned = (endorsement: ConflictEndorsement, publicKey: Uint8Array): boolean => {
    verified += 1;
    return blsVerify(publicKey, endorsementSignedBytes(endorsement), endorsement.signature);
  };
  const add = (endorsement: ConflictEndorsement) => pool.add(endorsement, { isOurBlock, isSigned });
  return { pool, round, generators, add, verified: () => verified };
}

describe("EndorsementPool", () => {
  it("accepts endorsements of the round, once for each generator", () => {
    const { pool, add, verified } = poolInRound();
    expect(add(endorsementBy(1))).toEqual({ kind: "valid" });
    expect(add(endorsementBy(2))).toEqual({ kind: "valid" });
    expect(add(endorsementBy(1))).toEqual({ kind: "ignored" });
    expect([...pool.valid.keys()]).toEqual([1, 2]);
    expect(verified()).toBe(2);
  });

  it("refuses all before any round", () => {
    const checks = { isOurBlock, isSigned: () => true };
    expect(new EndorsementPool().add(endorsementBy(1), checks)).toEqual({ kind: "refused", violation: "noRound" });
  });

  it.each([
    ["of a height that is not final yet", endorsementBy(1, { finalizedHeight: 6 }), "finalizedHeightOutOfRange"],
    ["of height 0", endorsementBy(1, { finalizedHeight: 0 }), "finalizedHeightOutOfRange"],
    ["of an unknown index", { ...endorsementBy(1), endorserIndex: 4 }, "nobodyWithThatIndex"],
    ["of a negative index", { ...endorsementBy(1), endorserIndex: -1 }, "nobodyWithThatIndex"],
    ["of a generator without a vote", endorsementBy(0), "endorserHasNoVote"],
    ["of the block's generator", endorsementBy(3), "generatorOfTheBlock"],
  ] as const)("refuses an endorsement %s without looking at its signature", (_name, endorsement, reason) => {
    const { add, verified } = poolInRound();
    expect(add(endorsement)).toEqual({ kind: "refused", violation: reason });
    expect(verified()).toBe(0);
  });

  it("refuses a wrongly signed endorsement, and accepts the right one after it", () => {
    const { add } = poolInRound();
    const { signature } = endorsementBy(2);
    expect(add({ ...endorsementBy(1), signature })).toEqual({ kind: "refused", violation: "signatureWrong" });
    expect(add(endorsementBy(1))).toEqual({ kind: "valid" });
  });

  it("ignores an endorsement of another block on the same final one: it is not conflicting", () => {
    const { pool, add, verified } = poolInRound();
    expect(add(endorsementBy(1, { endorsedBlockId: someBlockId(8) }))).toEqual({ kind: "ignored" });
    expect(pool.conflicts.size + verified()).toBe(0);
  });

  it("ignores one with invalid id lengths before its signature, which may be valid: honest ones can be cut elsewhere", () => {
    const { pool, add, verified } = poolInRound();
    // The signature covers ids and height without their lengths: honest generators' signed bytes can be cut elsewhere.
    const honest = endorsementBy(1, { finalizedBlockId: someBlockId(0) });
    const { finalizedBlockId, finalizedHeight, endorsedBlockId } = honest;
    const cut = {
      ...honest,
      finalizedBlockId: finalizedBlockId.subarray(0, 31) as Uint8Array as BlockId,
      finalizedHeight: finalizedHeight >> 8,
      endorsedBlockId: concatBytes(Uint8Array.of(finalizedHeight), endorsedBlockId) as Uint8Array as BlockId,
    };
    expect(endorsementSignedBytes(cut)).toEqual(endorsementSignedBytes(honest));
    expect(add({ ...cut, finalizedHeight: 1 })).toEqual({ kind: "ignored" });
    expect(add(endorsementBy(1, { endorsedBlockId: new Uint8Array(0) as Uint8Array as BlockId }))).toEqual({
      kind: "ignored",
    });
    expect(pool.conflicts.size + pool.valid.size + verified()).toBe(0);
  });

  it("ignores one of a lower height with the chain's block there", () => {
    const { add, verified } = poolInRound();
    const late = endorsementBy(1, { finalizedHeight: 4, finalizedBlockId: someBlockId(4) });
    expect(add(late)).toEqual({ kind: "ignored" });
    expect(verified()).toBe(0);
  });

  it.each([
    ["another block at the final height", { finalizedBlockId: someBlockId(77) }],
    ["another block at a lower height", { finalizedHeight: 4, finalizedBlockId: someBlockId(77) }],
    ["another block, whatever it endorses", { finalizedBlockId: someBlockId(77), endorsedBlockId: someBlockId(78) }],
  ])("accepts a conflict over %s, one of each generator, which replaces its vote", (_name, other) => {
    const { pool, add, verified } = poolInRound();
    expect(add(endorsementBy(1))).toEqual({ kind: "valid" });
    expect(add(endorsementBy(1, other))).toEqual({ kind: "conflict" });
    expect(pool.valid.size).toBe(0);
    expect(add(endorsementBy(1, { finalizedBlockId: someBlockId(79) }))).toEqual({ kind: "ignored" });
    expect(add(endorsementBy(1))).toEqual({ kind: "ignored" });
    expect([...pool.conflicts.keys()]).toEqual([1]);
    expect(verified()).toBe(2);
  });

  it("refuses a wrongly signed conflict", () => {
    const { pool, add } = poolInRound();
    const forged = { ...endorsementBy(1), finalizedBlockId: someBlockId(77) };
    expect(add(forged)).toEqual({ kind: "refused", violation: "signatureWrong" });
    expect(pool.conflicts.size).toBe(0);
  });

  it("forgets its endorsements when the round changes, and keeps them when another block has the same round", () => {
    const { pool, round, add } = poolInRound();
    add(endorsementBy(1));
    add(endorsementBy(2, { finalizedBlockId: someBlockId(77) }));
    pool.begin({ ...round, generator: 2 });
    expect([pool.valid.size, pool.conflicts.size]).toEqual([1, 1]);
    expect(add(endorsementBy(3))).toEqual({ kind: "valid" });
    for (const other of [
      { endorsedBlockId: someBlockId(10) },
      { finalizedBlockId: someBlockId(6) },
      { finalizedHeight: 6 },
    ]) {
      pool.begin(round);
      add(endorsementBy(1));
      pool.begin({ ...round, ...other });
      expect([pool.valid.size, pool.conflicts.size]).toEqual([0, 0]);
    }
    pool.begin(round);
    add(endorsementBy(1));
    pool.begin(undefined);
    expect([pool.valid.size, pool.round]).toEqual([0, undefined]);
  });
});
