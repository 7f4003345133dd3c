import { describe, expect, it } from "vitest";
import { fastAggregateVerify } from "../../../src/crypto/bls.ts";
import type { ConflictEndorsement, FinalizationVoting } from "../../../src/protocol/blocks/block.ts";
import { accumulateVoting, endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import { chooseVoting } from "../../../src/rules/finality/choose-voting.ts";
import { EndorsementPool } from "../../../src/rules/finality/endorsement-pool.ts";
import { endorsementBy, generatorsWith, roundOf, someBlockId } from "../../support/builders/test-generators.ts";

const trusting = { isOurBlock: () => false, isSigned: () => true };
const contradiction = (index: number): ConflictEndorsement =>
  endorsementBy(index, { finalizedBlockId: someBlockId(77) });

/** Block of the generator with this index, whose micro-blocks carry the chosen votings. */
function blockOf(generator: number, weights: readonly bigint[], maxEndorsers = 128) {
  const generators = generatorsWith(...weights);
  const pool = new EndorsementPool();
  pool.begin(roundOf(generators, generator));
  let voting: FinalizationVoting | undefined;
  return {
    pool,
    hear: (...endorsements: readonly ConflictEndorsement[]) => {
      for (const endorsement of endorsements) pool.add(endorsement, trusting);
    },
    choose: () => chooseVoting({ pool, generators, voting, maxEndorsers }),
    carry: (): FinalizationVoting | undefined => {
      const chosen = chooseVoting({ pool, generators, voting, maxEndorsers });
      voting = accumulateVoting(voting, chosen);
      return chosen;
    },
    keyOf: (index: number) => generators.committed[index]?.endorserPublicKey as Uint8Array,
  };
}

function indexesOf(voting: FinalizationVoting | undefined) {
  return voting && { valid: voting.endorserIndexes, conflict: voting.conflictEndorsements.map((e) => e.endorserIndex) };
}

describe("chooseVoting", () => {
  it("gives no voting while the endorsers are too few", () => {
    const block = blockOf(3, [10n, 10n, 10n, 10n]);
    expect(block.choose()).toBeUndefined();
    block.hear(endorsementBy(0));
    expect(block.choose()).toBeUndefined();
  });

  it("lists none whose keys cancel each other without one more: no node would accept the micro-block", () => {
    const { signature, ...content } = endorsementBy(1);
    const negated = Uint8Array.from(signature, (byte, index) => (index === 0 ? byte ^ 0x20 : byte));
    const cancelling = [endorsementBy(1), { ...content, endorserIndex: 2, signature: negated }];
    const block = blockOf(3, [5n, 20n, 20n, 20n, 1n]);
    block.hear(...cancelling);
    expect(block.choose()).toBeUndefined();
    block.hear(contradiction(4));
    expect(indexesOf(block.choose())).toEqual({ valid: [], conflict: [4] });
    const other = blockOf(3, [5n, 20n, 20n, 20n]);
    other.hear(...cancelling, endorsementBy(0));
    expect(indexesOf(other.choose())).toEqual({ valid: [1, 2, 0], conflict: [] });
    expect(other.choose()?.aggregatedEndorsementSignature).toEqual(endorsementBy(0).signature);
  });

  it("lists the richest until two thirds are reached, and does so once", () => {
    const block = blockOf(3, [10n, 30n, 20n, 15n]);
    block.hear(endorsementBy(0), endorsementBy(1), endorsementBy(2));
    const voting = block.carry();
    // 15 + 30 of 75 is too little; with another 20 it is enough.
    expect(indexesOf(voting)).toEqual({ valid: [1, 2], conflict: [] });
    expect(voting?.finalizedHeight).toBe(5);
    const message = endorsementSignedBytes(endorsementBy(1));
    const signature = voting?.aggregatedEndorsementSignature as Uint8Array;
    expect(fastAggregateVerify([block.keyOf(1), block.keyOf(2)], message, signature)).toBe(true);
    expect(block.carry()).toBeUndefined();
    block.hear(endorsementBy(0));
    expect(block.carry()).toBeUndefined();
  });

  it("chooses the first of those with equal weight", () => {
    const block = blockOf(3, [10n, 10n, 10n, 10n]);
    block.hear(endorsementBy(2), endorsementBy(0), endorsementBy(1));
    expect(indexesOf(block.choose())).toEqual({ valid: [0, 1], conflict: [] });
  });

  it("lists no more than a block may have", () => {
    const weights = [10n, 10n, 10n, 10n];
    const endorsements = [endorsementBy(0), endorsementBy(1), endorsementBy(2)];
    const narrow = blockOf(3, weights, 1);
    narrow.hear(...endorsements);
    expect(narrow.choose()).toBeUndefined();
    const wide = blockOf(3, weights, 2);
    wide.hear(...endorsements);
    expect(indexesOf(wide.choose())).toEqual({ valid: [0, 1], conflict: [] });
  });

  it("lists no endorsers if the generator alone has enough", () => {
    const block = blockOf(3, [10n, 10n, 10n, 60n]);
    block.hear(endorsementBy(0));
    expect(block.choose()).toBeUndefined();
    block.hear(contradiction(1));
    expect(indexesOf(block.carry())).toEqual({ valid: [], conflict: [1] });
  });

  it("lists a conflict at once, alone while the endorsers are too few, and never again", () => {
    const block = blockOf(3, [10n, 10n, 10n, 10n]);
    block.hear(contradiction(2));
    const voting = block.carry();
    expect(indexesOf(voting)).toEqual({ valid: [], conflict: [2] });
    expect(voting?.aggregatedEndorsementSignature).toBeUndefined();
    expect(voting?.finalizedHeight).toBe(5);
    expect(block.carry()).toBeUndefined();
    block.hear(contradiction(1));
    expect(indexesOf(block.carry())).toEqual({ valid: [], conflict: [1] });
    expect(block.carry()).toBeUndefined();
  });

  it("needs two thirds of less after a conflict", () => {
    const block = blockOf(3, [10n, 10n, 10n, 10n]);
    block.hear(endorsementBy(0));
    expect(block.carry()).toBeUndefined();
    // 20 of 40 is too little, 20 of 30 is enough.
    block.hear(contradiction(2));
    expect(indexesOf(block.carry())).toEqual({ valid: [0], conflict: [2] });
    expect(block.carry()).toBeUndefined();
  });

  it("keeps the endorsers of the block with a new conflict of another generator", () => {
    const block = blockOf(3, [10n, 10n, 10n, 10n]);
    block.hear(endorsementBy(0), endorsementBy(1));
    const reached = block.carry();
    expect(indexesOf(reached)).toEqual({ valid: [0, 1], conflict: [] });
    // Received endorsements are forgotten by a restart, and those in the block are not.
    block.pool.begin(undefined);
    block.pool.begin(roundOf(generatorsWith(10n, 10n, 10n, 10n), 3));
    expect(block.carry()).toBeUndefined();
    block.hear(contradiction(2));
    const voting = block.carry();
    expect(indexesOf(voting)).toEqual({ valid: [0, 1], conflict: [2] });
    expect(voting?.aggregatedEndorsementSignature).toEqual(reached?.aggregatedEndorsementSignature);
  });

  it("replaces an endorser of the block with a conflict, if others are enough", () => {
    const block = blockOf(3, [10n, 10n, 10n, 10n]);
    block.hear(endorsementBy(0), endorsementBy(1), endorsementBy(2));
    expect(indexesOf(block.carry())).toEqual({ valid: [0, 1], conflict: [] });
    block.hear(contradiction(1));
    expect(indexesOf(block.carry())).toEqual({ valid: [0], conflict: [1] });
  });

  it("drops the endorsers of the block if the remaining ones are too few", () => {
    const block = blockOf(3, [10n, 60n, 10n, 10n]);
    block.hear(endorsementBy(1), endorsementBy(0));
    expect(indexesOf(block.carry())).toEqual({ valid: [1], conflict: [] });
    block.hear(contradiction(1));
    expect(indexesOf(block.carry())).toEqual({ valid: [0], conflict: [1] });
    const alone = blockOf(3, [10n, 60n, 10n, 10n]);
    alone.hear(endorsementBy(1));
    expect(indexesOf(alone.carry())).toEqual({ valid: [1], conflict: [] });
    alone.hear(contradiction(1));
    expect(indexesOf(alone.carry())).toEqual({ valid: [], conflict: [1] });
  });

  it("lists neither the block's generator nor its endorsement from before", () => {
    const weights = [10n, 10n, 10n];
    const block = blockOf(2, weights);
    block.hear(endorsementBy(0), contradiction(1));
    block.pool.begin(roundOf(generatorsWith(...weights), 0));
    expect(indexesOf(block.carry())).toEqual({ valid: [], conflict: [1] });
    const other = blockOf(2, weights);
    other.hear(contradiction(1));
    other.pool.begin(roundOf(generatorsWith(...weights), 1));
    expect(other.choose()).toBeUndefined();
  });

  it("gives no voting outside of any round", () => {
    const block = blockOf(3, [10n, 10n, 10n, 10n]);
    block.pool.begin(undefined);
    expect(block.choose()).toBeUndefined();
  });
});
