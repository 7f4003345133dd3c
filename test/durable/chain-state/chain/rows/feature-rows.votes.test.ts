import { expect, test } from "vitest";
import { secureRandomBytes } from "../../../../../src/crypto/random.ts";
import { privateNetwork } from "../../../../../src/network/networks/private.ts";
import type { Block } from "../../../../../src/protocol/blocks/block.ts";
import { signBlock } from "../../../../../src/protocol/blocks/build-block.ts";
import { SimulatedNode } from "../../../../../verification/simulation/simulated-node.ts";
import { richKey } from "../../../../support/builders/signed-transfer.ts";

const { blockchain } = privateNetwork;

// A node of the reference that imports this very chain shows both features as approved, active from height 15.
test("votes of version 5 count as often as a block names the feature, except those of the window's last block", () => {
  const startMs = Number(blockchain.genesis.blockTimestampMs);
  const votes = new Map([
    [6, [31, 32]],
    [7, [30, 30, 30, 30]],
    [8, [30, 31, 31, 32, 32]],
    [9, [31, 32]],
    [10, [31]],
  ]);
  const maker = new SimulatedNode({ startMs });
  const node = new SimulatedNode({ startMs });
  while (node.height < 11) {
    const height = node.height + 1;
    maker.mineTo(height);
    const made = maker.chain.stored.findBlock(height) as Block;
    const block = signBlock({
      header: { ...made.header, featureVotes: votes.get(height) ?? [] },
      transactions: made.transactions,
      privateKey: richKey.privateKey,
      chainId: blockchain.chainId,
      random: secureRandomBytes,
    });
    maker.chain.forks.revertTo(height - 1);
    node.nowMs = maker.nowMs;
    for (const each of [maker, node]) each.append(block);
  }
  const approved = [...node.chain.view.activations()].filter(([feature]) => feature >= 30);
  // Feature 32 has four votes, one less than needed.
  expect(approved).toEqual([
    [30, 15],
    [31, 15],
  ]);
});
