import { describe, expect, test } from "vitest";
import { addressOfPublicKey, addressText, parseAddressBytes } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { secureHash } from "../../src/crypto/hash.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../src/crypto/seed.ts";
import { isNetworkName, namedNetworks } from "../../src/network/named-networks.ts";
import { privateNetwork, privateNetworkSecrets } from "../../src/network/networks/private.ts";

describe.each(Object.entries(namedNetworks))("the network %s", (name, network) => {
  const { functionality, genesis, rewards, chainId, schemeCharacter } = network.blockchain;

  test("has the name it is found by, and its own character", () => {
    expect(network.name).toBe(name);
    expect(schemeCharacter.charCodeAt(0)).toBe(chainId);
  });

  test("has valid addresses of its own only", () => {
    const addresses = [
      functionality.daoAddress,
      functionality.xtnBuybackAddress,
      ...genesis.transactions.map(({ recipient }) => recipient),
    ].filter((address) => address !== undefined);
    for (const address of addresses) {
      expect(parseAddressBytes(address, chainId), addressText(address)).toBeInstanceOf(Uint8Array);
    }
  });

  test("hands out the whole supply in a signed genesis block", () => {
    expect(genesis.transactions.reduce((sum, { amount }) => sum + amount, 0n)).toBe(genesis.initialBalance);
    expect(genesis.initialBalance).toBe(10_000_000_000_000_000n);
    expect(genesis.signature?.length).toBe(64);
  });

  test("keeps the limits between its settings", () => {
    expect(functionality.blocksForFeatureActivation).toBeLessThanOrEqual(functionality.featureCheckBlocksPeriod);
    expect(rewards.votingInterval).toBeLessThanOrEqual(rewards.termAfterCappedRewardFeature);
    expect(functionality.minBlockTimeMs).toBeLessThanOrEqual(genesis.averageBlockDelayMs);
  });
});

describe("the private network", () => {
  test("has features 1 to 25 in force", () => {
    const heights = privateNetwork.blockchain.functionality.preActivatedFeatures;
    expect([...heights.keys()]).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    for (const height of heights.values()) expect(height).toBeLessThanOrEqual(1);
  });

  test("gives all to the account of its published seed", () => {
    const { walletSeed, walletSeedText } = privateNetworkSecrets;
    expect(new TextDecoder().decode(walletSeed)).toBe(walletSeedText);
    const { publicKey } = keyPairOfAccountSeed(accountSeed(walletSeed, 0));
    const master = privateNetwork.blockchain.genesis.transactions[0]?.recipient;
    expect(addressText(addressOfPublicKey(publicKey, privateNetwork.blockchain.chainId))).toBe(
      "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
    );
    expect(master && addressText(master)).toBe("3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF");
  });

  test("has the hash of its published API key", () => {
    const hash = secureHash(new TextEncoder().encode(privateNetworkSecrets.apiKey));
    expect(encodeBase58(hash)).toBe(privateNetworkSecrets.apiKeyHash);
  });
});

test("only the four networks have names", () => {
  expect(["mainnet", "testnet", "stagenet", "private"].every(isNetworkName)).toBe(true);
  expect(["", "Mainnet", "constructor", "__proto__", "network.json"].some(isNetworkName)).toBe(false);
});

test.each([
  ["mainnet", 10_000, 128],
  ["testnet", 3_000, 64],
  ["stagenet", 1_000, 32],
  ["private", 1_000, 5],
] as const)("generators of %s commit themselves for %i blocks, and %i endorse one", (name, length, endorsers) => {
  const { generationPeriodLength, maxValidEndorsements } = namedNetworks[name].blockchain.functionality;
  expect([generationPeriodLength, maxValidEndorsements]).toEqual([length, endorsers]);
});
