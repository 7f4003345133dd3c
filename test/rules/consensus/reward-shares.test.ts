import { describe, expect, test } from "vitest";
import { addressText } from "../../../src/crypto/address.ts";
import { compareBytes } from "../../../src/crypto/bytes.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { functionalityDefaults, maximumHeight } from "../../../src/network/defaults.ts";
import { Feature } from "../../../src/network/features.ts";
import { mainnet } from "../../../src/network/networks/mainnet.ts";
import { rewardBoost, rewardShares, sortedRewardShares } from "../../../src/rules/consensus/reward-shares.ts";
import { activeFrom } from "../../support/builders/activation.ts";

const waves = 100_000_000n;
const { daoAddress, xtnBuybackAddress } = mainnet.blockchain.functionality;
const functionality = {
  ...functionalityDefaults,
  daoAddress,
  xtnBuybackAddress,
  xtnBuybackRewardPeriod: 100,
  blockRewardBoostPeriod: 20,
};
const { BlockRewardDistribution, CappedReward, CeaseXtnBuyback, BoostBlockReward } = Feature;
const distribution = activeFrom({ [BlockRewardDistribution]: 10 });
const capped = activeFrom({ [BlockRewardDistribution]: 10, [CappedReward]: 10 });

const shares = (reward: bigint, features = capped, height = 10, settings = functionality) =>
  rewardShares({ height, reward, features, functionality: settings });

describe("the split of a reward", () => {
  test("leaves everything to the generator before feature 19", () => {
    expect(shares(6n * waves, distribution, 9)).toEqual({ generator: 6n * waves, dao: 0n, xtnBuyback: 0n });
  });

  test("is by three parts with feature 19, the remainder to the generator", () => {
    expect(shares(6n * waves, distribution)).toEqual({
      generator: 2n * waves,
      dao: 2n * waves,
      xtnBuyback: 2n * waves,
    });
    expect(shares(100n, distribution)).toEqual({ generator: 34n, dao: 33n, xtnBuyback: 33n });
  });

  test.each([
    [199_999_999n, 199_999_999n, 0n],
    [2n * waves, 2n * waves, 0n],
    [2n * waves + 1n, 2n * waves + 1n, 0n],
    [3n * waves, 2n * waves, waves / 2n],
    [6n * waves - 1n, 2n * waves + 1n, 2n * waves - 1n],
    [6n * waves, 2n * waves, 2n * waves],
    [9n * waves, 5n * waves, 2n * waves],
  ])("of %d with feature 20 gives the generator %d and each address %d", (reward, generator, share) => {
    expect(shares(reward)).toEqual({ generator, dao: share, xtnBuyback: share });
  });

  test("leaves the share of a missing address with the generator", () => {
    const withoutDao = { ...functionality, daoAddress: undefined };
    expect(shares(6n * waves, capped, 10, withoutDao)).toEqual({
      generator: 4n * waves,
      dao: 0n,
      xtnBuyback: 2n * waves,
    });
    const withoutBoth = { ...withoutDao, xtnBuybackAddress: undefined };
    expect(shares(6n * waves, capped, 10, withoutBoth)).toEqual({ generator: 6n * waves, dao: 0n, xtnBuyback: 0n });
  });
});

describe("the buy-back", () => {
  const ceased = (height: number) =>
    activeFrom({ [BlockRewardDistribution]: 10, [CappedReward]: 10, [CeaseXtnBuyback]: height });
  const isPaid = (height: number, features: ReturnType<typeof activeFrom>, settings = functionality): boolean =>
    shares(6n * waves, features, height, settings).xtnBuyback > 0n;

  test("goes on without feature 21", () => {
    expect(isPaid(5_000, capped)).toBe(true);
  });

  test("ends with feature 21, or when its period is over, whichever is later", () => {
    expect([109, 110].map((height) => isPaid(height, ceased(50)))).toEqual([true, false]);
    expect([199, 200].map((height) => isPaid(height, ceased(200)))).toEqual([true, false]);
  });

  test("gives its share to the generator then", () => {
    expect(shares(6n * waves, ceased(50), 110)).toEqual({ generator: 4n * waves, dao: 2n * waves, xtnBuyback: 0n });
  });

  test("ends with feature 21 where the period is the default, which overflows in the reference", () => {
    const endless = { ...functionality, xtnBuybackRewardPeriod: maximumHeight };
    expect([49, 50].map((height) => isPaid(height, ceased(50), endless))).toEqual([true, false]);
    const fromStart = activeFrom({ [BlockRewardDistribution]: 0, [CeaseXtnBuyback]: 0 });
    expect(isPaid(50, fromStart, endless)).toBe(true);
  });
});

test("the boost multiplies every share by ten for its period", () => {
  const boosted = activeFrom({ [BlockRewardDistribution]: 10, [CappedReward]: 10, [BoostBlockReward]: 30 });
  const twenty = { generator: 20n * waves, dao: 20n * waves, xtnBuyback: 20n * waves };
  const two = { generator: 2n * waves, dao: 2n * waves, xtnBuyback: 2n * waves };
  expect([29, 30, 49, 50].map((height) => shares(6n * waves, boosted, height))).toEqual([two, twenty, twenty, two]);
});

describe("the list of payouts", () => {
  const generator = mainnet.blockchain.genesis.transactions[1]?.recipient as Address;
  const inputs = { height: 10, features: capped, functionality, generator };

  test("is ordered by address bytes and leaves out what is 0", () => {
    expect(sortedRewardShares({ ...inputs, reward: 6n * waves }).map(({ address }) => addressText(address))).toEqual([
      "3P8JdJGYc7vaLu4UXUZc1iRLdzrkGtdCyJM",
      "3PEgG7eZHLFhcfsTSaYxgRhZsh4AxMvA4Ms",
      "3PFjHWuH6WXNJbwnfLHqNFBpwBS5dkYjTfv",
    ]);
    const last = mainnet.blockchain.genesis.transactions
      .map(({ recipient }) => recipient)
      .sort(compareBytes)
      .at(-1);
    const shares = sortedRewardShares({ ...inputs, generator: last as Address, reward: 6n * waves });
    expect(shares.map(({ address }) => address)).toEqual([daoAddress, xtnBuybackAddress, last]);
    expect(sortedRewardShares({ ...inputs, reward: waves })).toEqual([{ address: generator, amount: waves }]);
    expect(sortedRewardShares({ ...inputs, reward: 0n })).toEqual([]);
  });
});

test("an infinite boost wraps around the feature's height, as the reference's 32-bit sum does", () => {
  const endless = { ...mainnet.blockchain.functionality, blockRewardBoostPeriod: 2 ** 31 - 1 };
  const boostAt = (activation: number) =>
    rewardBoost(5, activeFrom({ [Feature.BoostBlockReward]: activation }), endless);
  expect([boostAt(0), boostAt(1)]).toEqual([10n, 1n]);
});
