import { describe, expect, test } from "vitest";
import { addressText, parseAddress } from "../../../src/crypto/address.ts";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { vrfVerify } from "../../../src/crypto/vrf.ts";
import { nextBaseTarget } from "../../../src/rules/consensus/base-target.ts";
import { blockDelayMs } from "../../../src/rules/consensus/block-delay.ts";
import { countRewardVotes, nextBlockReward, rewardVoting } from "../../../src/rules/consensus/block-reward.ts";
import { expectedBlockVersion, hasLightNodeFields } from "../../../src/rules/consensus/block-version.ts";
import {
  approvedFeatures,
  endsVotingWindow,
  featureVotesOfMiner,
  votingThreshold,
  votingWindow,
  votingWindowSize,
} from "../../../src/rules/consensus/feature-voting.ts";
import { generationSignature } from "../../../src/rules/consensus/generation-signature.ts";
import { hitOf, hitSourceHeight, isVrfActive } from "../../../src/rules/consensus/hit.ts";
import { posAlgorithm } from "../../../src/rules/consensus/pos-algorithm.ts";
import { rewardBoost, sortedRewardShares } from "../../../src/rules/consensus/reward-shares.ts";
import { activeByApproval, countVotes } from "../../support/builders/activation.ts";
import {
  activation,
  blockchain,
  headerAt,
  node,
  rewards as recordedRewards,
  tipHeight,
} from "../../support/fixtures/recorded-private-a.ts";

const { functionality, rewards, genesis } = blockchain;

/** Approvals by the votes in the recorded headers. */
const approvals = new Map<number, number>();
for (let height = 1; height <= tipHeight; height++) {
  if (!endsVotingWindow(height, functionality)) continue;
  const { from } = votingWindow(height, functionality);
  const earlier = Array.from({ length: height - from }, (_, index) => headerAt(from + index).features ?? []);
  const earlierVotes = countVotes(earlier);
  const blockVotes = headerAt(height).features ?? [];
  for (const feature of approvedFeatures({ height, earlierVotes, blockVotes, approvals, functionality })) {
    approvals.set(feature, height);
  }
}
const features = activeByApproval(functionality, approvals);

const addressOf = (text: string): Address => {
  const address = parseAddress(text, blockchain.chainId);
  if (!(address instanceof Uint8Array)) throw new Error(`${text} is no address`);
  return address;
};

/** Stored hit source of the block at the height. */
const hitSourceAt = (height: number): Uint8Array => {
  const header = headerAt(height);
  return decodeBase58(header.VRF ?? header["nxt-consensus"]["generation-signature"]);
};

describe("the rules over the headers of a chain that the reference made (105 blocks, versions 3 to 5)", () => {
  test("every feature is activated at the recorded height", () => {
    for (const { id, activationHeight } of activation.features) {
      expect(features.activationHeight(id), `feature ${id}`).toBe(activationHeight);
    }
    expect(approvals).toEqual(new Map([[22, 25]]));
  });

  test("the voting window of the tip is the recorded one", () => {
    expect({
      votingInterval: votingWindowSize(tipHeight, functionality),
      votingThreshold: votingThreshold(tipHeight, functionality),
      nextCheck: votingWindow(tipHeight, functionality).to,
    }).toEqual({
      votingInterval: activation.votingInterval,
      votingThreshold: activation.votingThreshold,
      nextCheck: activation.nextCheck,
    });
  });

  test("miners vote for supported features until they are approved", () => {
    for (let height = 2; height <= tipHeight; height++) {
      const decided = new Map([...approvals].filter(([, approval]) => approval < height));
      const votes = featureVotesOfMiner({
        supportedFeatures: node.supportedFeatures,
        approvals: decided,
        blockVersion: headerAt(height).version,
        functionality,
      });
      expect(votes, `height ${height}`).toEqual(headerAt(height).features);
    }
  });

  test("every block has the expected version, and a state hash if feature 22 requires one", () => {
    for (let height = 1; height <= tipHeight; height++) {
      const header = headerAt(height);
      expect(expectedBlockVersion({ height, features, functionality }), `height ${height}`).toBe(header.version);
      const hasStateHash = header.stateHash !== undefined;
      expect(hasLightNodeFields({ height, features, functionality }), `height ${height}`).toBe(hasStateHash);
    }
  });

  test("every base target follows from the timestamps", () => {
    expect(BigInt(headerAt(1)["nxt-consensus"]["base-target"])).toBe(genesis.initialBaseTarget);
    for (let height = 2; height <= tipHeight; height++) {
      const parentHeight = height - 1;
      const parent = headerAt(parentHeight);
      const baseTarget = nextBaseTarget(posAlgorithm({ parentHeight, features, functionality }), {
        averageBlockDelayMs: genesis.averageBlockDelayMs,
        parentHeight,
        parentBaseTarget: BigInt(parent["nxt-consensus"]["base-target"]),
        parentTimestampMs: BigInt(parent.timestamp),
        greatGrandparentTimestampMs: parentHeight > 2 ? BigInt(headerAt(parentHeight - 2).timestamp) : undefined,
        timestampMs: BigInt(headerAt(height).timestamp),
      });
      expect(baseTarget, `height ${height}`).toBe(BigInt(headerAt(height)["nxt-consensus"]["base-target"]));
    }
  });

  test("every generation signature is the next link of the chain or a VRF proof over the hit source", () => {
    for (let height = 2; height <= tipHeight; height++) {
      const parentHeight = height - 1;
      const header = headerAt(height);
      const generator = decodeBase58(header.generatorPublicKey) as Uint8Array as PublicKey;
      const inHeader = header["nxt-consensus"]["generation-signature"];
      if (isVrfActive(parentHeight, features)) {
        const source = hitSourceAt(hitSourceHeight(parentHeight, features));
        const output = vrfVerify(generator, source, decodeBase58(inHeader));
        expect(output && encodeBase58(output), `height ${height}`).toBe(header.VRF);
      } else {
        const parentSignature = decodeBase58(headerAt(parentHeight)["nxt-consensus"]["generation-signature"]);
        expect(encodeBase58(generationSignature(parentSignature, generator)), `height ${height}`).toBe(inHeader);
      }
    }
  });

  test("every block comes at the time of its hit, at most a few milliseconds late", () => {
    // Balances at the chain's start: earnings and spendings of the generators change no delay here by 1 ms.
    const balances = new Map(genesis.transactions.map(({ recipient, amount }) => [addressText(recipient), amount]));
    let onTime = 0;
    for (let height = 2; height <= tipHeight; height++) {
      const parentHeight = height - 1;
      const header = headerAt(height);
      const source = hitSourceAt(hitSourceHeight(parentHeight, features));
      const generator = decodeBase58(header.generatorPublicKey) as Uint8Array as PublicKey;
      const delayMs = blockDelayMs(posAlgorithm({ parentHeight, features, functionality }), {
        hit: hitOf(isVrfActive(parentHeight, features) ? hitSourceAt(height) : generationSignature(source, generator)),
        baseTarget: BigInt(headerAt(parentHeight)["nxt-consensus"]["base-target"]),
        generatingBalance: balances.get(header.generator) ?? 0n,
      });
      const lateMs = Number(BigInt(header.timestamp - headerAt(parentHeight).timestamp) - delayMs);
      expect(lateMs, `height ${height}`).toBeGreaterThanOrEqual(0);
      expect(lateMs, `height ${height}`).toBeLessThan(10);
      if (lateMs === 0) onTime += 1;
    }
    expect(onTime).toBeGreaterThan(25);
  });

  test("every reward, its vote and its split equal the recorded ones", () => {
    const voteAt = (height: number): bigint => BigInt(headerAt(height).desiredReward ?? -1);
    let parentReward: bigint | undefined;
    for (let height = 1; height <= tipHeight; height++) {
      const header = headerAt(height);
      const reward = nextBlockReward({ parentHeight: height - 1, parentReward, features, rewards, voteAt });
      const boost = rewardBoost(height, features, functionality);
      expect((reward ?? 0n) * boost, `height ${height}`).toBe(BigInt(header.reward));

      const generator = addressOf(header.generator);
      const shares = sortedRewardShares({ height, reward: reward ?? 0n, features, functionality, generator });
      expect(
        shares.map(({ address, amount }) => [addressText(address), Number(amount)]),
        `height ${height}`,
      ).toEqual(Object.entries(header.rewardShares));
      parentReward = reward;
    }
  });

  test("the state of the reward votes equals the recorded one at every height", () => {
    const voteAt = (height: number): bigint => BigInt(headerAt(height).desiredReward ?? -1);
    expect(recordedRewards.length).toBe(tipHeight - 1);
    for (const recorded of recordedRewards) {
      const { height } = recorded;
      const boost = rewardBoost(height, features, functionality);
      const reward = BigInt(recorded.currentReward) / boost;
      const voting = rewardVoting(height, features, rewards);
      expect(
        {
          term: voting?.term,
          nextCheck: voting?.termEnd,
          votingIntervalStart: voting?.interval.from,
          votingThreshold: voting?.threshold,
          votes: countRewardVotes({ height, reward, features, rewards, voteAt }),
        },
        `height ${height}`,
      ).toEqual({
        term: recorded.term,
        nextCheck: recorded.nextCheck,
        votingIntervalStart: recorded.votingIntervalStart,
        votingThreshold: recorded.votingThreshold,
        votes: recorded.votes,
      });
    }
  });
});
