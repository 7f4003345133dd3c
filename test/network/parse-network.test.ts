import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { functionalityDefaults, minerDefaults, nodeDefaults, rewardsDefaults } from "../../src/network/defaults.ts";
import { Feature } from "../../src/network/features.ts";
import { namedNetworks } from "../../src/network/named-networks.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";
import { parseNetwork, parseSecrets, parseSettingsJson } from "../../src/network/parse-network.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import { fixtureText } from "../support/fixtures/recorded-lines.ts";

type Json = { [key: string]: unknown };

const recipient = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const genesis = { transactions: [{ recipient, amount: 100 }] };

/** Settings file of a custom network with the minimal keys, plus those of a test. */
function customFile(custom: Json = {}, node: Json = {}): unknown {
  return {
    waves: { blockchain: { type: "CUSTOM", custom: { "address-scheme-character": "R", genesis, ...custom } }, ...node },
  };
}

/** Error text for a refused file. */
function refusal(json: unknown): string {
  try {
    parseNetwork(json, "test");
  } catch (error) {
    expect(error).toBeInstanceOf(NetworkSettingsError);
    return (error as NetworkSettingsError).message;
  }
  throw new Error("the file was accepted");
}

describe("a file in the reference's form", () => {
  test("of a recorded chain gives that chain's settings", () => {
    const network = parseNetwork(parseSettingsJson(fixtureText("private-a/network.json")), "private-a");
    const { blockchain, node } = network;
    expect(network.name).toBe("private-a");
    expect(blockchain.schemeCharacter).toBe("R");
    expect(blockchain.chainId).toBe(82);
    expect(blockchain.functionality).toMatchObject({
      featureCheckBlocksPeriod: 25,
      blocksForFeatureActivation: 20,
      generationBalanceDepthFrom50To1000AfterHeight: 62,
      maxTransactionTimeBackOffsetMs: 7_200_000n,
      maxTransactionTimeForwardOffsetMs: 5_400_000n,
      minBlockTimeMs: 1_500,
      delayDelta: 8,
      xtnBuybackRewardPeriod: 12,
      lightNodeBlockFieldsAbsenceInterval: 4,
      blockRewardBoostPeriod: 14,
    });
    expect(blockchain.functionality.preActivatedFeatures.get(Feature.FeeSponsorship)).toBe(-25);
    expect(blockchain.functionality.preActivatedFeatures.get(Feature.BlockV5)).toBe(9);
    expect(blockchain.functionality.preActivatedFeatures.has(Feature.LightNode)).toBe(false);
    const { daoAddress } = blockchain.functionality;
    expect(daoAddress && addressText(daoAddress)).toBe("3M49f6N9b5zWMEtBQfc444j13UiqAwTddfb");
    expect(blockchain.genesis.initialBalance).toBe(10_000_000_000_000_000n);
    expect(blockchain.genesis.averageBlockDelayMs).toBe(3_000);
    expect(blockchain.genesis.signature && encodeBase58(blockchain.genesis.signature)).toBe(
      "5VGzdvfDbBXuo6M1ywdjjkkJ5Zii1rE7iFL3xWAwooNWMz8iXE66Wu44Gtq1h7fF7E62cunXxC7p1Tjrvnd3m9f8",
    );
    expect(node).toMatchObject({
      minimumPeers: 0,
      supportedFeatures: [22],
      desiredReward: 700_000_000n,
      walletAccounts: 3,
    });
    expect(node.miner.enable).toBe(false);
  });

  test("with the fewest keys gets the reference's defaults", () => {
    const { blockchain, node } = parseNetwork(customFile(), "test");
    expect(blockchain.functionality).toEqual({
      ...functionalityDefaults,
      featureCheckBlocksPeriod: 10_000,
      blocksForFeatureActivation: 9_000,
    });
    expect(blockchain.rewards).toEqual(rewardsDefaults);
    expect(blockchain.genesis).toMatchObject({
      blockTimestampMs: 1_460_678_400_000n,
      timestampMs: 1_460_678_400_000n,
      initialBalance: 100n,
      initialBaseTarget: 153_722_867n,
      averageBlockDelayMs: 60_000,
      signature: undefined,
    });
    expect(node).toEqual({ ...nodeDefaults, storeSnapshots: true });
  });

  test("may say what is kept beside the state; a public network keeps less by itself", () => {
    const keeps = (db: object, file = customFile({}, { db })) => parseNetwork(file, "mine").node;
    expect(keeps({ "store-state-hashes": true })).toMatchObject({ storeStateHashes: true, storeSnapshots: true });
    expect(keeps({ "store-snapshots": false })).toMatchObject({ storeStateHashes: false, storeSnapshots: false });
    const mainnet = { waves: { blockchain: { type: "MAINNET" } } };
    expect(keeps({}, mainnet)).toMatchObject({ storeStateHashes: false, storeSnapshots: false });
  });

  test("may limit the UTX pool and name accounts for it", () => {
    const utx = { "max-size": "7", "fast-lane-addresses": ["alias:R:fast"], "allow-skip-checks": "no" };
    expect(parseNetwork(customFile({}, { utx }), "mine").node.utx).toEqual({
      ...nodeDefaults.utx,
      maxSize: 7,
      fastLaneAddresses: new Set(["alias:R:fast"]),
      allowSkipChecks: false,
    });
  });

  test.each(["MAINNET", "TESTNET", "STAGENET", "mainnet"])("may name the network %s and set this node only", (type) => {
    const file = { waves: { blockchain: { type }, miner: { quorum: 1, "micro-block-interval": "3s" } } };
    const { blockchain, node } = parseNetwork(file, "mine");
    const known = { MAINNET: "mainnet", TESTNET: "testnet", STAGENET: "stagenet" } as const;
    expect(blockchain).toBe(namedNetworks[known[type.toUpperCase() as keyof typeof known]].blockchain);
    expect(node.miner).toEqual({ ...minerDefaults, quorum: 1, microBlockIntervalMs: 3_000 });
  });

  test("may write numbers and switches as text, and leave keys empty", () => {
    const file = customFile(
      { functionality: { "lease-expiration": "17", "dao-address": null } },
      { miner: { enable: "no" }, rewards: { desired: "9007199254740993" } },
    );
    const { blockchain, node } = parseNetwork(file, "test");
    expect(blockchain.functionality.leaseExpiration).toBe(17);
    expect(blockchain.functionality.daoAddress).toBeUndefined();
    expect(node.miner.enable).toBe(false);
    expect(node.desiredReward).toBe(9_007_199_254_740_993n);
  });

  test("says how long generators commit themselves, and how many endorse a block", () => {
    const functionality = { "generation-period-length": 20, "max-valid-endorsers": 7 };
    expect(parseNetwork(customFile({ functionality }), "test").blockchain.functionality).toMatchObject({
      generationPeriodLength: 20,
      maxValidEndorsements: 7,
    });
    expect(parseNetwork(customFile({}), "test").blockchain.functionality).toMatchObject({
      generationPeriodLength: 1_000,
      maxValidEndorsements: 5,
    });
    expect(refusal(customFile({ functionality: { "generation-period-length": 0 } }))).toContain("from 1 to");
  });

  test("may hold keys that this node does not know", () => {
    const file = customFile({ functionality: { "a-setting-to-come": 10 } }, { kamon: { enable: true } });
    expect(parseNetwork(file, "test").blockchain.functionality).toMatchObject({ leaseExpiration: 1_000_000 });
  });
});

test("the built-in private network equals its file, and keeps state hashes", () => {
  const json = parseSettingsJson(fixtureText("networks/private.json"));
  const file = parseNetwork(json, "private");
  expect(privateNetwork).toEqual({ ...file, node: { ...file.node, storeStateHashes: true } });
  const { walletSeed, apiKeyHash } = privateNetworkSecrets;
  expect(parseSecrets(json)).toEqual({ walletSeed, apiKeyHash });
});

describe("a file in the Go node's form", () => {
  const text = fixtureText("finality-a/network.json");

  test("of a recorded chain gives that chain's settings", () => {
    const { blockchain, node } = parseNetwork(parseSettingsJson(text), "finality-a");
    const { functionality, rewards, genesis } = blockchain;
    expect(blockchain.schemeCharacter).toBe("F");
    expect(functionality).toMatchObject({
      featureCheckBlocksPeriod: 3,
      blocksForFeatureActivation: 1,
      minBlockTimeMs: 2_000,
      delayDelta: 0,
      xtnBuybackRewardPeriod: 4,
      blockRewardBoostPeriod: 30,
      generationPeriodLength: 10,
      maxValidEndorsements: 3,
      lightNodeBlockFieldsAbsenceInterval: 2,
    });
    expect(functionality.preActivatedFeatures.get(Feature.BoostBlockReward)).toBe(1);
    // Sponsored fees work from height 1 on, without the reference's waiting window.
    expect(functionality.preActivatedFeatures.get(Feature.FeeSponsorship)).toBe(-2);
    expect(rewards).toMatchObject({ term: 1_000, termAfterCappedRewardFeature: 500, votingInterval: 10 });
    expect(genesis.averageBlockDelayMs).toBe(4_000);
    expect(genesis.transactions.length).toBe(11);
    expect(genesis.initialBalance).toBe(10_000_000_000_000_000n);
    expect(node.minimumPeers).toBe(0);
    expect(node.miner.quorum).toBe(0);
  });

  test("is refused for a wrong value, by its own names", () => {
    const json = JSON.parse(text);
    expect(refusal({ ...json, min_block_time: "soon" })).toMatch(
      /^Setting min_block_time is "soon", expected a duration/,
    );
    expect(refusal({ ...json, reward_addresses: ["x"] })).toMatch(
      /^Setting reward_addresses\.0 is "x", expected an address/,
    );
  });

  test("has no secrets", () => {
    expect(parseSecrets(JSON.parse(text))).toEqual({});
  });
});

describe("a file is refused with one sentence that names path, value and expectation", () => {
  const functionality = (values: Json) => customFile({ functionality: values });
  const path = "waves.blockchain.custom";
  test.each<[unknown, string]>([
    [[], "The settings file is a list, expected an object."],
    ["text", "The settings file is a text, expected an object."],
    [{}, "Setting waves is missing, expected an object with blockchain and more."],
    [{ waves: 5 }, "Setting waves is a number, expected an object."],
    [{ waves: {} }, "Setting waves.blockchain is missing, expected MAINNET, TESTNET, STAGENET or CUSTOM."],
    [
      { waves: { blockchain: { type: "DEVNET" } } },
      'Setting waves.blockchain.type is "DEVNET", expected MAINNET, TESTNET, STAGENET or CUSTOM.',
    ],
    [{ waves: { blockchain: { type: "CUSTOM" } } }, `Setting ${path} is missing, expected an object.`],
    [
      functionality({ "min-block-time": "5 parsecs" }),
      `Setting ${path}.functionality.min-block-time is "5 parsecs", expected a duration such as "1500ms", "10s" or ` +
        '"2 minutes", or a number of milliseconds.',
    ],
    [
      functionality({ "lease-expiration": 1.5 }),
      `Setting ${path}.functionality.lease-expiration is 1.5, expected an integer from 0 to 2147483647.`,
    ],
    [
      functionality({ "pre-activated-features": { "14": "soon" } }),
      `Setting ${path}.functionality.pre-activated-features.14 is "soon", expected an integer from -2147483648 to 2147483647.`,
    ],
    [
      functionality({ "pre-activated-features": { fourteen: 0 } }),
      `Setting ${path}.functionality.pre-activated-features is {"fourteen":0}, expected feature ids as keys.`,
    ],
    [
      functionality({ "feature-check-blocks-period": 5, "blocks-for-feature-activation": 6 }),
      `Setting ${path}.functionality.blocks-for-feature-activation is 6, expected at most the ` +
        "feature-check-blocks-period, 5.",
    ],
    [
      functionality({ "min-block-time": "2m" }),
      `Setting ${path}.functionality.min-block-time is 120000, expected at most the average-block-delay, 60000 ms.`,
    ],
    [
      functionality({ "dao-address": "3PEgG7eZHLFhcfsTSaYxgRhZsh4AxMvA4Ms" }),
      `Setting ${path}.functionality.dao-address is an address of network W, expected one of network R.`,
    ],
    [
      functionality({ "dao-address": `${recipient.slice(0, -1)}G` }),
      `Setting ${path}.functionality.dao-address is "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxG", expected an address in base58.`,
    ],
    [
      customFile({ rewards: { "voting-interval": 100_001 } }),
      `Setting ${path}.rewards.voting-interval is 100001, expected at most the shortest term, 50000.`,
    ],
    [
      customFile({ rewards: { "min-increment": 0 } }),
      `Setting ${path}.rewards.min-increment is 0, expected more than 0.`,
    ],
    [
      customFile({ genesis: { ...genesis, "initial-balance": 99 } }),
      `Setting ${path}.genesis.initial-balance is 99, expected the sum of the genesis transactions, 100.`,
    ],
    [
      customFile({ genesis: { transactions: [] } }),
      `Setting ${path}.genesis.initial-balance is 0, expected transactions that grant more than 0.`,
    ],
    [
      customFile({ genesis: {} }),
      `Setting ${path}.genesis.transactions is missing, expected a list of recipients and amounts.`,
    ],
    [
      customFile({ genesis: { ...genesis, signature: "BASE58BLOCKSIGNATURE" } }),
      `Setting ${path}.genesis.signature is "BASE58BLOCKSIGNATURE", expected a signature: 64 bytes in base58.`,
    ],
    [
      customFile({ "address-scheme-character": "RR" }),
      `Setting ${path}.address-scheme-character is "RR", expected one character.`,
    ],
    [
      customFile({}, { miner: { "max-transactions-in-micro-block": 501 } }),
      "Setting waves.miner.max-transactions-in-micro-block is 501, expected an integer from 1 to 500.",
    ],
    [
      customFile({}, { miner: { enable: "perhaps" } }),
      'Setting waves.miner.enable is "perhaps", expected true or false.',
    ],
    [
      customFile({}, { features: { supported: [1, "x"] } }),
      'Setting waves.features.supported.1 is "x", expected an integer from 1 to 32767.',
    ],
    [
      customFile({}, { rewards: { desired: -1 } }),
      "Setting waves.rewards.desired is -1, expected an integer from 0 to 9223372036854775807.",
    ],
  ])("case %#: %j", (json, sentence) => {
    expect(refusal(json)).toBe(sentence);
  });

  test("whatever JSON it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => parseNetwork(value, "test")).toThrow(NetworkSettingsError);
        expect(() => parseNetwork({ waves: value }, "test")).toThrow(NetworkSettingsError);
        expect(() => parseNetwork(customFile({ functionality: value, genesis: value }), "test")).toThrow(
          NetworkSettingsError,
        );
      }),
    );
  });
});

describe("secrets", () => {
  test("are none where the file has none", () => {
    expect(parseSecrets(customFile())).toEqual({});
    expect(parseSecrets("text")).toEqual({});
    expect(parseSecrets(customFile({}, { "rest-api": { "api-key-hash": "" } }))).toEqual({});
  });

  test("are never in the sentence about a wrong one", () => {
    const file = customFile({}, { wallet: { seed: "not base58: 0OIl" } });
    expect(() => parseSecrets(file)).toThrow("Setting waves.wallet.seed is (hidden), expected a text in base58.");
  });
});

test("a wallet begins with no more accounts than it may have", () => {
  const file = (accounts: number) => customFile({}, { wallet: { "accounts-generated": accounts } });
  expect(parseNetwork(file(1_000), "test").node.walletAccounts).toBe(1_000);
  expect(refusal(file(1_001))).toBe(
    "Setting waves.wallet.accounts-generated is 1001, expected an integer from 1 to 1000.",
  );
});

describe("a value where a secret, or its group, belongs is never printed", () => {
  const secret = "five words of a seed";
  test.each([
    ["a whole file", secret, "The settings file is a text, expected an object."],
    ["waves", { waves: [secret] }, "Setting waves is a list, expected an object."],
    ["wallet", customFile({}, { wallet: secret }), "Setting waves.wallet is a text, expected an object."],
    ["rest-api", customFile({}, { "rest-api": [secret] }), "Setting waves.rest-api is a list, expected an object."],
    [
      "api-key-hash",
      customFile({}, { "rest-api": { "api-key-hash": { of: secret } } }),
      "Setting waves.rest-api.api-key-hash is an object, expected a text.",
    ],
  ])("%s", (_, file, sentence) => {
    expect(refusal(file)).toBe(sentence);
  });
});

describe("the text of a settings file", () => {
  test("keeps integers past 2^53 exact", () => {
    expect(parseSettingsJson('{"a": 9007199254740993, "b": [-9223372036854775808], "c": 5, "d": 1.5}')).toEqual({
      a: 9_007_199_254_740_993n,
      b: [-9_223_372_036_854_775_808n],
      c: 5,
      d: 1.5,
    });
  });

  test("that is not JSON is refused without quoting it", () => {
    expect(() => parseSettingsJson('{"seed": hidden words')).toThrow("The settings file is not JSON, expected JSON.");
  });
});
