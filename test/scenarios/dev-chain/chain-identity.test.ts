/** Databases of a dev chain belong to no other chain, and vice versa. */
import { describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { devSettings } from "../../../src/network/dev-settings.ts";
import { forkSettings } from "../../../src/network/fork-settings.ts";
import { namedNetworks } from "../../../src/network/named-networks.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { GenesisSettings, NetworkSettings } from "../../../src/network/settings.ts";
import { readableChain } from "../../../src/read-model/chain.ts";
import { genesisText, identityOf } from "../../../src/tables/chain.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import type { TestDatabase } from "../../../verification/sqlite/test-database.ts";
import { SimulatedDevChain } from "../../support/builders/simulated-dev-chain.ts";

const startMs = 1_700_000_000_000;

function withGenesis(network: NetworkSettings, genesis: Partial<GenesisSettings>): NetworkSettings {
  const { blockchain } = network;
  return { ...network, blockchain: { ...blockchain, genesis: { ...blockchain.genesis, ...genesis } } };
}

const { genesis } = privateNetwork.blockchain;
const unsigned = withGenesis(privateNetwork, { signature: undefined });
const others = {
  "another time of the block": withGenesis(unsigned, { blockTimestampMs: genesis.blockTimestampMs + 1n }),
  "another time of the transactions": withGenesis(unsigned, { timestampMs: genesis.timestampMs + 1n }),
  "another difficulty": withGenesis(unsigned, { initialBaseTarget: genesis.initialBaseTarget + 1n }),
  "other transactions": withGenesis(unsigned, {
    transactions: genesis.transactions.flatMap(({ recipient, amount }) => [
      { recipient, amount: amount - 1n },
      { recipient, amount: 1n },
    ]),
  }),
  "a signature": privateNetwork,
};

/** Opens the object's database for a chain. */
function open({ blockchain, node }: NetworkSettings, database?: TestDatabase): SimulatedNode {
  return new SimulatedNode({ blockchain, node, startMs, ...(database && { database }) });
}

/** Reads a read model written by one chain as that of another. */
function readAs({ blockchain }: NetworkSettings, writer: NetworkSettings) {
  const identity = identityOf(genesisText(writer.blockchain), "drawn", 1);
  const shown = { version: "tip", epoch: 0, height: 2, finalizedHeight: 1, sequence: 1 };
  return readableChain({ ...shown, identity, isWhole: true, progress: undefined }, blockchain);
}

function expectDifferentChains(one: NetworkSettings, other: NetworkSettings): void {
  for (const [writer, reader] of [[one, other] as const, [other, one] as const]) {
    const { database } = open(writer);
    expect(() => open(reader, database)).toThrow("the state belongs to the chain with genesis");
    expect(open(writer, database).height).toBe(1);
    expect(() => readAs(reader, writer)).toThrow("the database shows another chain");
    expect(readAs(writer, writer).height).toBe(2);
  }
}

test("a state override of a dev chain is not opened by the settings of its network", async () => {
  const dev = new SimulatedDevChain({ settings: devSettings(unsigned) });
  await dev.dev.start({});
  expect(() => open(unsigned, dev.database)).toThrow("the state belongs to the chain with genesis dev:");
  dev.restart();
  expect(dev.height).toBe(2);
  const row = dev.readModel.prepare("SELECT identity FROM chain").get();
  expect(row?.["identity"]).toMatch(/^dev:/);
});

describe.each([
  ["without a signature", unsigned],
  ["with a signature", privateNetwork],
])("the dev chain of a network %s", (_, network) => {
  test("and the network are different chains", () => expectDifferentChains(devSettings(network), network));
});

test.each(Object.entries(others))("dev chains of networks that differ by %s are different chains", (_, other) => {
  expectDifferentChains(devSettings(unsigned), devSettings(other));
});

test("of another chain id the dev chain is another", () => {
  const { blockchain } = unsigned;
  const other = { ...unsigned, blockchain: { ...blockchain, chainId: blockchain.chainId + 1 } };
  expect(() => readAs(devSettings(other), devSettings(unsigned))).toThrow("the database shows another chain");
});

test("the dev chain of the same network is the same, regardless of its name and rules", () => {
  const { blockchain } = unsigned;
  const functionality = { ...blockchain.functionality, featureCheckBlocksPeriod: 7 };
  const again = devSettings({ ...unsigned, name: "again", blockchain: { ...blockchain, functionality } });
  expect(readAs(again, devSettings(unsigned)).height).toBe(2);
});

test("a fork is no dev chain of its source network", () => {
  const fork = forkSettings(privateNetwork, {
    ...{ url: "http://127.0.0.1:1", height: 1, isExact: false, chainId: privateNetwork.blockchain.chainId },
    ...{ features: [], header: "{}", blockId: "abc", wavesAmount: "1" },
    genesis: { timestampMs: "1", transactions: [] },
    periods: { featureVotes: 1, featureThreshold: 1, reward: null },
  });
  for (const other of [privateNetwork, unsigned, devSettings(privateNetwork)]) {
    expect(() => readAs(fork, other)).toThrow("the database shows another chain");
    expect(() => readAs(other, fork)).toThrow("the database shows another chain");
  }
});

test("the identity in databases of all other chains is the signature, or empty", () => {
  for (const { blockchain } of Object.values(namedNetworks))
    expect(genesisText(blockchain)).toBe(encodeBase58(blockchain.genesis.signature ?? new Uint8Array()));
  expect(genesisText(privateNetwork.blockchain)).not.toBe("");
  expect(genesisText(unsigned.blockchain)).toBe("");
});
