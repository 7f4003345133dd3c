import { describe, expect, test } from "vitest";
import { GeneratorDraws } from "../../../../durable/chain-state/miner/generator-draw.ts";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { KeyPair } from "../../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../../src/network/settings.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { buildBlock } from "../../../../src/protocol/blocks/build-block.ts";
import { openBlock } from "../../../../src/rules/blocks/apply-block.ts";
import { baseTargetAfter } from "../../../../src/rules/consensus/next-block.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import {
  blocksOf,
  copyOf,
  fork,
  heightsOfBranchBlocks,
  nodeNamed,
  startMs,
  violationCodeOf,
} from "../../../support/builders/forked-nodes.ts";
import { poorKey, richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";

/** All tables except the outbox, which notifies its readers of rollbacks too. */
const tables = [...stateTables.map(({ name }) => name), "undo", "branch_block", "meta"];
const idsOf = (blocks: readonly Block[]): readonly string[] => blocks.map(({ id }) => encodeBase58(id));

describe("a branch", () => {
  test("that weighs more replaces the blocks at its heights", () => {
    const { node, rival } = fork();
    node.node.appendBranch(blocksOf(rival, 6));
    expect(idsOf(blocksOf(node, 2))).toEqual(idsOf(blocksOf(rival, 2)));
    expect(node.chain.stored.tip()).toEqual(rival.chain.stored.tip());
  });

  test("may begin with blocks that the chain has", () => {
    const { node, rival } = fork();
    node.node.appendBranch(blocksOf(rival, 3));
    expect(node.chain.stored.tip().id).toEqual(rival.chain.stored.tip().id);
    expect(node.node.appendBranch(blocksOf(rival, 3))).toBe(false);
  });

  test("that weighs as much or less is refused", () => {
    const { node, rival } = fork();
    expect(violationCodeOf(() => node.node.appendBranch(blocksOf(rival, 6, 7)))).toBe("branchNotBetter");
    expect(violationCodeOf(() => node.node.appendBranch(blocksOf(rival, 6, 6)))).toBe("branchNotBetter");
    expect(node.height).toBe(7);
  });

  test("with a wrong block is refused as a whole: the chain, its tables and its memory are as they were", () => {
    const { node, rival } = fork();
    const before = node.database.dump(tables);
    const branch = blocksOf(rival, 6);
    const last = branch.at(-1) as Block;
    const damaged = { ...last, header: { ...last.header, baseTarget: last.header.baseTarget + 1n } };
    expect(violationCodeOf(() => node.node.appendBranch([...branch.slice(0, -1), damaged]))).toBe(
      "blockSignatureInvalid",
    );
    expect(node.database.dump(tables)).toBe(before);
    node.mineTo(8);
    expect(node.chain.stored.rowAt(7).id).not.toEqual(rival.chain.stored.rowAt(7).id);
  });

  test("with a gap, or on an unknown block, is refused", () => {
    const { node, rival } = fork();
    const branch = blocksOf(rival, 6);
    expect(violationCodeOf(() => node.node.appendBranch([branch[0], branch[2], branch[3]] as Block[]))).toBe(
      "blockReferenceUnknown",
    );
    expect(violationCodeOf(() => node.node.appendBranch(branch.slice(1)))).toBe("blockReferenceUnknown");
  });

  test("with a base target that no block can have is refused, whatever its weight would be", () => {
    const { node, rival } = fork();
    const branch = blocksOf(rival, 6);
    const last = branch.at(-1) as Block;
    for (const baseTarget of [0n, -1n]) {
      const damaged = { ...last, header: { ...last.header, baseTarget } };
      expect(violationCodeOf(() => node.node.appendBranch([...branch.slice(0, -1), damaged]))).toBe(
        "headerFieldInvalid",
      );
    }
    expect(node.height).toBe(7);
  });

  test("that is refused at its last block leaves no trace among the micro-blocks of the tip", () => {
    const rival = nodeNamed("first");
    rival.mineTo(5);
    const keyBlock = rival.chain.stored.findBlock(5) as Block;
    rival.nowMs = Number(keyBlock.header.timestamp);
    rival.broadcast(signedTransfer({ timestamp: BigInt(rival.nowMs) }));
    while (rival.pool.size > 0) rival.step();
    expect(rival.height).toBe(5);
    const whole = rival.chain.stored.findBlock(5) as Block;
    const { microBlock } = rival.microBlocks.at(-1) as (typeof rival.microBlocks)[number];
    rival.mineTo(6);
    const next = rival.chain.stored.findBlock(6) as Block;
    const damaged = { ...next, header: { ...next.header, baseTarget: next.header.baseTarget - 1n } };
    const tablesAfter = (branches: readonly (readonly Block[])[]): string => {
      const node = copyOf(rival, 4, "second");
      node.append(keyBlock);
      for (const branch of branches) expect(violationCodeOf(() => node.node.appendBranch(branch))).not.toBe("none");
      node.node.appendMicroBlock(microBlock);
      node.append(next);
      return node.database.dump(tables);
    };
    expect(tablesAfter([[whole, damaged]])).toBe(tablesAfter([]));
  });

  test("returns transactions to the pool that left the chain and are not in the branch", () => {
    const { node, rival } = fork();
    const now = BigInt(node.nowMs);
    const [lost, common] = [signedTransfer({ timestamp: now }), signedTransfer({ timestamp: now + 1n })];
    for (const transaction of [lost, common]) node.broadcast(transaction);
    while (node.pool.size > 0) node.step();
    expect(node.chain.view.findTransaction(lost.id)).toBeDefined();
    rival.broadcast(common);
    rival.nowMs = Math.max(node.nowMs, rival.nowMs);
    rival.mineTo(node.height + 5);
    node.nowMs = rival.nowMs;
    node.node.appendBranch(blocksOf(rival, 6));
    expect([...node.pool.all()].map(({ id }) => id)).toEqual([lost.id]);
    expect(node.chain.view.findTransaction(common.id)).toBeDefined();
    while (node.pool.size > 0) node.step();
    expect(node.chain.view.findTransaction(lost.id)).toBeDefined();
  });
});

test("a block that the chain has changes nothing, at any height", () => {
  const node = nodeNamed("first");
  node.mineTo(6);
  for (const block of blocksOf(node, 2)) expect(node.node.append(block)).toBe(false);
  expect(node.height).toBe(6);
});

describe("a block that competes for the tip", () => {
  const { blockchain } = privateNetwork;
  const keys = [richKey, poorKey];
  /** Two accounts own all WAVES. */
  const shared: BlockchainSettings = {
    ...blockchain,
    genesis: {
      ...blockchain.genesis,
      signature: undefined,
      transactions: keys.map(({ publicKey }) => ({
        recipient: addressOfPublicKey(publicKey, blockchain.chainId),
        amount: blockchain.genesis.initialBalance / 2n,
      })),
    },
  };

  /** Block of the account after the node's tip, with the timestamp. */
  function blockOf(node: SimulatedNode, key: KeyPair, timestamp: bigint, rewardVote = -1n): Block {
    const { view, stored } = node.chain;
    const draw = new GeneratorDraws(secureRandomBytes).find(view, key);
    const opening = { version: 5, timestamp, generator: key.publicKey };
    const parent = { carryFee: stored.tip().carryFee, transactions: () => [] };
    const { run } = openBlock(view, opening, draw.hitSource, [], parent, { verifySignatures: true });
    return buildBlock({
      header: {
        ...opening,
        reference: stored.tip().id,
        baseTarget: baseTargetAfter(view, timestamp),
        generationSignature: draw.generationSignature(),
        featureVotes: [],
        rewardVote,
        stateHash: run.stateHash,
        challengedHeader: undefined,
        finalizationVoting: undefined,
      },
      transactions: [],
      privateKey: key.privateKey,
      chainId: blockchain.chainId,
      random: secureRandomBytes,
    });
  }

  test("replaces it with an earlier timestamp alone: an equal one is not better", () => {
    const node = new SimulatedNode({ blockchain: shared, startMs });
    node.mineTo(3);
    // Late enough for either account to be allowed to forge.
    const timestamp = node.chain.view.findHeader(3)?.header.timestamp as bigint;
    const late = timestamp + 600_000n;
    node.nowMs = Number(late);
    const [first, equal, again, later, earlier] = [
      blockOf(node, richKey, late),
      blockOf(node, poorKey, late),
      blockOf(node, richKey, late, 1n),
      blockOf(node, poorKey, late + 1n),
      blockOf(node, poorKey, late - 1n),
    ] as [Block, Block, Block, Block, Block];
    node.append(first);
    const tipId = () => encodeBase58(node.chain.stored.tip().id);
    expect(violationCodeOf(() => node.append(equal))).toBe("competitorNotBetter");
    expect(violationCodeOf(() => node.append(later))).toBe("competitorNotBetter");
    expect(node.node.append(again)).toBe(false);
    expect(tipId()).toBe(encodeBase58(first.id));
    node.append(earlier);
    expect(tipId()).toBe(encodeBase58(earlier.id));
    expect(violationCodeOf(() => node.append(first))).toBe("competitorNotBetter");
  });
});

describe("blocks that left the chain", () => {
  test("return with a block that makes their branch the weightier one", () => {
    const node = nodeNamed("first");
    node.mineTo(5);
    const slow = copyOf(node, 5, "second");
    node.mineTo(7);
    const fast = copyOf(node, 7, "third");
    // Late blocks raise the base target: each of them weighs less.
    while (slow.height < 8) {
      slow.nowMs = (slow.miner.nextWakeMs(slow.nowMs) as number) + 200_000;
      slow.work();
    }
    node.nowMs = slow.nowMs;
    node.node.appendBranch(blocksOf(slow, 6));
    expect(node.height).toBe(8);
    fast.mineTo(8);
    node.node.append(fast.chain.stored.findBlock(8) as Block);
    expect(idsOf(blocksOf(node, 2))).toEqual(idsOf(blocksOf(fast, 2)));
    expect(heightsOfBranchBlocks(node)).toEqual([6, 7, 8]);
  });

  test("do not return with a block that is not enough", () => {
    const { node, rival } = fork();
    const own = copyOf(node, 7, "third");
    node.node.appendBranch(blocksOf(rival, 6));
    own.mineTo(9);
    node.nowMs = Math.max(own.nowMs, node.nowMs);
    const [eighth, ninth] = blocksOf(own, 8) as [Block, Block];
    expect(violationCodeOf(() => node.append(eighth))).toBe("branchNotBetter");
    expect(violationCodeOf(() => node.append(ninth))).toBe("blockReferenceUnknown");
    expect(node.chain.stored.tip().id).toEqual(rival.chain.stored.tip().id);
  });
});

describe("a chain that is rolled back by its owner", () => {
  test("to its tip, or to a height that it has not reached, stays as it is", () => {
    const node = nodeNamed("first");
    node.mineTo(5);
    const before = node.database.dump(tables);
    for (const height of [5, 6, 500]) expect(node.chain.forks.revertTo(height)).toBe(false);
    expect(node.database.dump(tables)).toBe(before);
  });

  test("by force keeps none of its blocks for an automatic return", () => {
    const node = nodeNamed("first");
    node.mineTo(10);
    const rival = copyOf(node, 10, "second");
    rival.mineTo(11);
    node.chain.forks.revertTo(6);
    expect(heightsOfBranchBlocks(node)).toEqual([7, 8, 9, 10]);
    node.chain.forks.revertTo(4, { isForced: true });
    expect(heightsOfBranchBlocks(node)).toEqual([]);
    node.nowMs = Math.max(node.nowMs, rival.nowMs);
    expect(violationCodeOf(() => node.append(rival.chain.stored.findBlock(11) as Block))).toBe("blockReferenceUnknown");
  });
});
