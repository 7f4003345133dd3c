import { describe, expect, test } from "vitest";
import { functionalityDefaults } from "../../../src/network/defaults.ts";
import { Feature } from "../../../src/network/features.ts";
import { mainnet } from "../../../src/network/networks/mainnet.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { BlockVersion } from "../../../src/protocol/blocks/block-version.ts";
import {
  activationHeightAfterApproval,
  approvedFeatures,
  featureVotesOfMiner,
  reportedVotes,
  sponsorshipHeight,
  votingThreshold,
  votingWindow,
  votingWindowSize,
} from "../../../src/rules/consensus/feature-voting.ts";
import { activeByApproval, activeFrom } from "../../support/builders/activation.ts";

const functionality = { ...functionalityDefaults, featureCheckBlocksPeriod: 10, blocksForFeatureActivation: 3 };

describe("the voting window", () => {
  test("has as many blocks as the period, the first one from height 1", () => {
    expect(votingWindow(1, functionality)).toEqual({ from: 1, to: 10 });
    expect(votingWindow(10, functionality)).toEqual({ from: 1, to: 10 });
    expect(votingWindow(11, functionality)).toEqual({ from: 11, to: 20 });
  });

  test("of mainnet is twice as long after height 810000, with twice the threshold", () => {
    const { functionality } = mainnet.blockchain;
    expect([810_000, 810_001].map((height) => votingWindowSize(height, functionality))).toEqual([5_000, 10_000]);
    expect([810_000, 810_001].map((height) => votingThreshold(height, functionality))).toEqual([4_000, 8_000]);
    expect(votingWindow(810_001, functionality)).toEqual({ from: 810_001, to: 820_000 });
  });
});

test("twice a period that is too long for 32 bits wraps around, as does the height of sponsored fees", () => {
  const endless = { ...functionality, featureCheckBlocksPeriod: 2_147_483_647 };
  expect(votingWindowSize(10, { ...endless, doubleFeaturesPeriodsAfterHeight: 5 })).toBe(-2);
  expect(votingWindow(10, { ...endless, doubleFeaturesPeriodsAfterHeight: 5 })).toEqual({ from: 9, to: 6 });
  expect(sponsorshipHeight(activeFrom({ [Feature.FeeSponsorship]: 1 }), endless)).toBe(-2_147_483_648);
});

describe("approval", () => {
  const approved = (height: number, earlier: Record<number, number>, blockVotes: number[] = [], approvals = {}) =>
    approvedFeatures({
      height,
      earlierVotes: new Map(Object.entries(earlier).map(([feature, votes]) => [Number(feature), votes])),
      blockVotes,
      approvals: new Map(Object.entries(approvals).map(([feature, at]) => [Number(feature), Number(at)])),
      functionality: { ...functionality, preActivatedFeatures: new Map([[5, 100]]) },
    });

  test("happens at the end of a window only", () => {
    expect(approved(19, { 2: 9 })).toEqual([]);
    expect(approved(20, { 2: 9 })).toEqual([2]);
  });

  test("needs the threshold, the last block's own vote included", () => {
    expect(approved(20, { 2: 2, 3: 3 })).toEqual([3]);
    expect(approved(20, { 2: 2, 3: 3 }, [2])).toEqual([2, 3]);
  });

  test("reads a vote of the last block once, however many features have votes", () => {
    let looks = 0;
    const votes = new Proxy(
      Array.from({ length: 100 }, (_, index) => 1_000 + index),
      {
        get: (target, name, receiver) => {
          if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
          return Reflect.get(target, name, receiver);
        },
      },
    );
    const earlier = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [index + 1, 1]));
    expect(approved(20, earlier, votes)).toEqual([]);
    expect(looks).toBe(100);
  });

  test("does not come from a vote of the last block alone", () => {
    const single = { ...functionality, blocksForFeatureActivation: 1 };
    const inputs = { height: 20, blockVotes: [2], approvals: new Map(), functionality: single };
    expect(approvedFeatures({ ...inputs, earlierVotes: new Map() })).toEqual([]);
    expect(approvedFeatures({ ...inputs, earlierVotes: new Map([[2, 1]]) })).toEqual([2]);
  });

  test("is of several features at once, in the order of their numbers", () => {
    const earlierVotes = new Map([9, 2, 15, 3].map((feature) => [feature, 5]));
    const inputs = { height: 20, earlierVotes, blockVotes: [], approvals: new Map(), functionality };
    expect(approvedFeatures(inputs)).toEqual([2, 3, 9, 15]);
  });

  test("leaves out approved and pre-activated features, and accepts unknown ones", () => {
    expect(approved(20, { 2: 9, 5: 9, 99: 9 }, [], { 2: 10 })).toEqual([99]);
  });
});

describe("activation", () => {
  test("comes one window after approval, of the size at approval", () => {
    expect(activationHeightAfterApproval(20, functionality)).toBe(30);
    expect(activationHeightAfterApproval(810_000, mainnet.blockchain.functionality)).toBe(815_000);
  });

  test("of sponsored fees is one window after their feature", () => {
    expect(sponsorshipHeight(activeFrom({ [Feature.FeeSponsorship]: 30 }), functionality)).toBe(40);
    expect(sponsorshipHeight(activeFrom({}), functionality)).toBeUndefined();
    const { functionality: own } = privateNetwork.blockchain;
    expect(sponsorshipHeight(activeByApproval(own, new Map()), own)).toBe(0);
  });
});

test("a miner votes for supported features that are implemented and undecided, in order, from block version 3 on", () => {
  const inputs = {
    supportedFeatures: [22, 9, 4, 9, 99, 100, 15],
    approvals: new Map([[15, 10]]),
    functionality: { ...functionality, preActivatedFeatures: new Map([[4, 0]]) },
  };
  expect(featureVotesOfMiner({ ...inputs, blockVersion: BlockVersion.Protobuf })).toEqual([9, 22]);
  expect(featureVotesOfMiner({ ...inputs, blockVersion: BlockVersion.Ng })).toEqual([9, 22]);
  expect(featureVotesOfMiner({ ...inputs, blockVersion: BlockVersion.Plain })).toEqual([]);
});

test("repeated votes of the tip count once while it is the tip, and as often as repeated in earlier blocks", () => {
  const counted = new Map([
    [30, 7],
    [31, 2],
    [32, 4],
  ]);
  expect(reportedVotes(counted, [30, 31, 30, 30])).toEqual(
    new Map([
      [30, 5],
      [31, 2],
      [32, 4],
    ]),
  );
  expect(counted.get(30)).toBe(7);
  expect(reportedVotes(counted, [])).toEqual(counted);
});
