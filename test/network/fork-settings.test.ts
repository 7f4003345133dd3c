import { expect, test } from "vitest";
import { forkSettings } from "../../src/network/fork-settings.ts";
import type { ForkSource } from "../../src/network/fork-source.ts";
import { mainnet } from "../../src/network/networks/mainnet.ts";
import { privateNetwork } from "../../src/network/networks/private.ts";
import { genesisText } from "../../src/tables/chain.ts";

const dao = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const source: ForkSource = {
  ...{ url: "http://127.0.0.1:1", height: 4_000_000, isExact: false, chainId: 0x57, header: "{}", blockId: "abc" },
  features: [[14, 1_740_000]],
  genesis: { timestampMs: "1", transactions: [{ recipient: dao, amount: "5" }] },
  periods: {
    featureVotes: 7,
    featureThreshold: 6,
    reward: { term: 9, votes: 3, minIncrement: "2", daoAddress: dao, xtnBuybackAddress: null },
  },
  wavesAmount: "1",
};

test("a fork of a public network has its rules and features, and is another chain", () => {
  const { blockchain, isDevChain } = forkSettings(mainnet, source);
  expect(isDevChain).toBe(true);
  expect(blockchain.chainId).toBe(0x57);
  expect(blockchain.functionality.estimatorPreCheckHeight).toBe(
    mainnet.blockchain.functionality.estimatorPreCheckHeight,
  );
  expect(blockchain.functionality.featureCheckBlocksPeriod).toBe(
    mainnet.blockchain.functionality.featureCheckBlocksPeriod,
  );
  expect([...blockchain.functionality.preActivatedFeatures]).toEqual([[14, 1_740_000]]);
  expect(genesisText(blockchain)).toMatch(/^dev:/);
});

test("of another network the periods are those that it says", () => {
  const { functionality, rewards } = forkSettings(privateNetwork, { ...source, chainId: 0x52 }).blockchain;
  expect(functionality).toMatchObject({ featureCheckBlocksPeriod: 7, blocksForFeatureActivation: 6 });
  expect(functionality.daoAddress).toBeDefined();
  expect(functionality.xtnBuybackAddress).toBeUndefined();
  expect(rewards).toMatchObject({ term: 9, votingInterval: 3, minIncrement: 2n });
});

test("forks of other blocks are other chains", () => {
  const others: readonly Partial<ForkSource>[] = [{}, { blockId: "abd" }, { height: 3_999_999 }, { chainId: 0x54 }];
  const texts = others.map((other) => genesisText(forkSettings(mainnet, { ...source, ...other }).blockchain));
  expect(new Set(texts).size).toBe(others.length);
  const again = forkSettings(mainnet, { ...source, url: "http://127.0.0.1:2" }).blockchain;
  expect(genesisText(again)).toBe(texts[0]);
});
