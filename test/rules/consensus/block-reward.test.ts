import { describe, expect, test } from "vitest";
import { rewardsDefaults } from "../../../src/network/defaults.ts";
import { Feature } from "../../../src/network/features.ts";
import type { RewardsSettings } from "../../../src/network/settings.ts";
import { countRewardVotes, nextBlockReward, rewardVoting } from "../../../src/rules/consensus/block-reward.ts";
import { activeFrom } from "../../support/builders/activation.ts";

const rewards: RewardsSettings = { ...rewardsDefaults, term: 12, termAfterCappedRewardFeature: 6, votingInterval: 4 };
const features = activeFrom({ [Feature.BlockReward]: 4 });
type VoteAt = (height: number) => bigint;
const noVote: VoteAt = () => -1n;

describe("the term of a reward", () => {
  test("starts with feature 14 and ends with the blocks that vote", () => {
    expect(rewardVoting(3, features, rewards)).toBeUndefined();
    const first = { term: 12, termEnd: 15, interval: { from: 12, to: 15 }, threshold: 3 };
    expect(rewardVoting(4, features, rewards)).toEqual(first);
    expect(rewardVoting(15, features, rewards)).toEqual(first);
    expect(rewardVoting(16, features, rewards)?.termEnd).toBe(27);
    expect(rewardVoting(16, activeFrom({}), rewards)).toBeUndefined();
  });

  test("is shorter from feature 20 on, counted from the same start", () => {
    const capped = activeFrom({ [Feature.BlockReward]: 4, [Feature.CappedReward]: 17 });
    expect(rewardVoting(16, capped, rewards)?.termEnd).toBe(27);
    expect(rewardVoting(17, capped, rewards)).toEqual({
      term: 6,
      termEnd: 21,
      interval: { from: 18, to: 21 },
      threshold: 3,
    });
  });

  test("of the public networks requires 5001 of 10000 votes", () => {
    const mainnetLike = activeFrom({ [Feature.BlockReward]: 1_740_000 });
    expect(rewardVoting(1_740_000, mainnetLike, rewardsDefaults)).toEqual({
      term: 100_000,
      termEnd: 1_839_999,
      interval: { from: 1_830_000, to: 1_839_999 },
      threshold: 5_001,
    });
  });
});

describe("votes", () => {
  const votes: Record<number, bigint> = { 11: 9n, 12: 700n, 13: -1n, 14: 600n, 15: 500n };
  const voteAt = (height: number): bigint => votes[height] ?? -1n;
  const count = (height: number) => countRewardVotes({ height, reward: 600n, features, rewards, voteAt });

  test("are none before the voting interval", () => {
    expect(count(3)).toEqual({ increase: 0, decrease: 0 });
    expect(count(11)).toEqual({ increase: 0, decrease: 0 });
    const eager = { height: 3, reward: 600n, rewards, voteAt: () => 700n };
    expect(countRewardVotes({ ...eager, features })).toEqual({ increase: 0, decrease: 0 });
  });

  test("are counted up to the height; no vote and a vote for the same reward have no effect", () => {
    expect(count(12)).toEqual({ increase: 1, decrease: 0 });
    expect(count(15)).toEqual({ increase: 1, decrease: 1 });
  });
});

describe("the next reward", () => {
  const next = (parentHeight: number, parentReward: bigint | undefined, voteAt = noVote, active = features) =>
    nextBlockReward({ parentHeight, parentReward, features: active, rewards, voteAt });

  test("is none before feature 14, and the initial one at its activation", () => {
    expect(next(2, undefined)).toBeUndefined();
    expect(next(3, undefined)).toBe(600_000_000n);
    expect(next(3, undefined, noVote, activeFrom({}))).toBeUndefined();
  });

  test("stays within a term, whatever the votes", () => {
    const never = (): bigint => {
      throw new Error("votes are not asked for within a term");
    };
    expect(next(4, 600_000_000n, never)).toBe(600_000_000n);
    expect(next(14, 600_000_000n, never)).toBe(600_000_000n);
  });

  test.each([
    ["rises with three of four votes above it", [700_000_000n, 700_000_000n, -1n, 700_000_000n], 650_000_000n],
    ["falls with three of four votes below it", [0n, 0n, 0n, 700_000_000n], 550_000_000n],
    ["stays with two votes each way", [0n, 0n, 700_000_000n, 700_000_000n], 600_000_000n],
    ["stays without votes", [-1n, -1n, -1n, -1n], 600_000_000n],
    ["stays when all vote for the current one", Array(4).fill(600_000_000n), 600_000_000n],
  ])("%s", (_, votes, expected) => {
    expect(next(15, 600_000_000n, (height) => votes[height - 12] ?? -1n)).toBe(expected);
  });

  test("does not fall below 0", () => {
    expect(next(15, 20_000_000n, () => 0n)).toBe(0n);
    expect(next(15, 0n, () => 0n)).toBe(0n);
  });

  test("is voted on after the term in force at the parent", () => {
    // At height 22 a term of 6 ends if feature 20 is active at 21, but not if it is activated with block 22 itself.
    const early = activeFrom({ [Feature.BlockReward]: 4, [Feature.CappedReward]: 21 });
    const late = activeFrom({ [Feature.BlockReward]: 4, [Feature.CappedReward]: 22 });
    expect(next(21, 600_000_000n, () => 0n, early)).toBe(550_000_000n);
    expect(next(21, 600_000_000n, () => 0n, late)).toBe(600_000_000n);
  });

  test("is none for a genesis block under feature 18, and comes with the second block then", () => {
    const all = activeFrom({ [Feature.BlockReward]: 1, [Feature.ConsensusImprovements]: 0 });
    expect(next(0, undefined, noVote, all)).toBeUndefined();
    expect(next(1, undefined, noVote, all)).toBe(600_000_000n);
    const before18 = activeFrom({ [Feature.BlockReward]: 1 });
    expect(next(0, undefined, noVote, before18)).toBe(600_000_000n);
  });
});
