/** Changes at the start of a block: gains of its generator, and nothing without gains. */
import { expect, test } from "vitest";
import { Feature } from "../../../src/network/features.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { signedTransfer } from "../../support/builders/signed-transfer.ts";

const { blockchain } = privateNetwork;
const startMs = Number(blockchain.genesis.blockTimestampMs);

/** Private network with the features that pass. */
function withFeatures(passes: (feature: number) => boolean): BlockchainSettings {
  const preActivatedFeatures = new Map(
    [...blockchain.functionality.preActivatedFeatures].filter(([feature]) => passes(feature)),
  );
  return { ...blockchain, functionality: { ...blockchain.functionality, preActivatedFeatures } };
}

// The reference leaves out unchanged balances, and does not hash an empty state snapshot.
test("a block whose generator gains nothing changes nothing, and keeps its parent's state hash", () => {
  const node = new SimulatedNode({ blockchain: withFeatures((feature) => feature !== Feature.BlockReward), startMs });
  node.mineTo(4);
  const hashAt = (height: number) => node.chain.view.findStateHash(height);
  expect(hashAt(4)).toEqual(hashAt(3));
  node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) }));
  while (node.pool.size > 0) node.step();
  const { height } = node;
  node.mineTo(height + 2);
  expect(hashAt(height)).not.toEqual(hashAt(height - 1));
  // The next block gains the rest of the fee.
  expect(hashAt(height + 1)).not.toEqual(hashAt(height));
  expect(hashAt(height + 2)).toEqual(hashAt(height + 1));
});

// The reference reports this for its genesis generator: 600000000, with features 1 to 16 from the start.
test("the genesis block pays its reward where feature 14 is there from the start and feature 18 is not", () => {
  const generatorsBalance = (features: BlockchainSettings): bigint => {
    const { view, stored } = new SimulatedNode({ blockchain: features, startMs }).chain;
    return view.balance(stored.rowAt(1).generator, null);
  };
  expect(generatorsBalance(withFeatures((feature) => feature <= Feature.SynchronousCalls))).toBe(600_000_000n);
  expect(generatorsBalance(blockchain)).toBe(0n);
});
