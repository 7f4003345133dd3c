import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { namedNetworks } from "../../../src/network/named-networks.ts";
import { parseNetwork, parseSettingsJson } from "../../../src/network/parse-network.ts";
import { genesisBlock } from "../../../src/protocol/blocks/genesis-block.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { fixtureBytes } from "../../support/fixtures/recorded-blocks.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { blockchain as privateA } from "../../support/fixtures/recorded-private-a.ts";

const finalityA = parseNetwork(parseSettingsJson(fixtureText("finality-a/network.json")), "finality-a").blockchain;

describe("genesisBlock", () => {
  test.each([
    [
      "mainnet",
      namedNetworks.mainnet.blockchain,
      "FSH8eAAzZNqnG8xgTZtz5xuLqXySsXgAjmFEC25hXMbEufiGjqWPnGCZFt6gLiVLJny16ipxRNAkkzjjhqTjBE2",
    ],
    [
      "the private network",
      namedNetworks.private.blockchain,
      "4WNhR15xizRv3uYwaXgtMzuvQ8ukKKimoDSp19ms3W3UU9XHgFo8q5jgcnWYKkJ7qtam9g5i5kLr6g38iJe8Fdgh",
    ],
    ["private-a", privateA, "5VGzdvfDbBXuo6M1ywdjjkkJ5Zii1rE7iFL3xWAwooNWMz8iXE66Wu44Gtq1h7fF7E62cunXxC7p1Tjrvnd3m9f8"],
  ])("the settings of %s give its block", (_, settings, id) => {
    const block = genesisBlock(settings);
    expect(encodeBase58(block.id)).toBe(id);
    expect(block.transactions).toHaveLength(settings.genesis.transactions.length);
  });

  test.each(["testnet", "stagenet"] as const)("the settings of %s hold a signature that is right", (name) => {
    expect(() => genesisBlock(namedNetworks[name].blockchain)).not.toThrow();
  });

  test("the settings of finality-a give the bytes of its block", () => {
    expect(encodeBlock(genesisBlock(finalityA), finalityA.chainId)).toEqual(fixtureBytes("finality-a/genesis.bin.gz"));
  });

  test("the transactions have the ids that the reference gives them", () => {
    expect(genesisBlock(privateA).transactions.map(({ id }) => encodeBase58(id))).toEqual([
      "54khNhktScDNhhQrheN6HpVPWBq3gNmZXLuzsnUUZq4dXni9sibN3XbShKVLz6ZDEuKZYN9ddcme2xLMyNaFXKBc",
      "42VpqQ6wv4dNuED77LCrmU6prQqq2FvgrTGaY4BdCyTCN6KPUivYyAgHsjLrM9qMv9gZ83NK1cLby7QKCNZYMeDD",
      "5eZopfHCtAQs1xKSH6rB3gG5NpPQZ7hEDnXziPn6VHqfBEG7AnNS6485gQVREppB53qFmCiJHXUHJFS1HtbCrjQ9",
    ]);
  });

  test("it has a state hash only where feature 22 is active before it", () => {
    const withFeature = (height: number) => ({
      ...privateA,
      functionality: { ...privateA.functionality, preActivatedFeatures: new Map([[22, height]]) },
    });
    expect(genesisBlock(privateA).header.stateHash).toBeUndefined();
    expect(genesisBlock(withFeature(1)).header.stateHash).toBeUndefined();
    const { stateHash } = genesisBlock(withFeature(0)).header;
    // Recorded as the snapshot hash of height 1.
    expect(stateHash && encodeBase58(stateHash)).toBe("CUEAWKJzDe78D8uJPTdso728ZDZkfsbVrjYE3SmtadVp");
  });

  test("a signature for another block is refused", () => {
    const genesis = { ...privateA.genesis, blockTimestampMs: privateA.genesis.blockTimestampMs + 1n };
    expect(() => genesisBlock({ ...privateA, genesis })).toThrow(RuleError);
  });

  test("without a signature in the settings it is signed", () => {
    const { genesis } = privateA;
    const block = genesisBlock({ ...privateA, genesis: { ...genesis, signature: undefined } });
    const resigned = { ...privateA, genesis: { ...genesis, signature: block.signature } };
    expect(genesisBlock(resigned)).toEqual(block);
  });

  test("transactions that do not add up to the initial balance are refused", () => {
    const genesis = { ...privateA.genesis, initialBalance: privateA.genesis.initialBalance + 1n };
    expect(() => genesisBlock({ ...privateA, genesis })).toThrow(RuleError);
  });
});
