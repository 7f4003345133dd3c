/**
 * Finalized height of the chain, and refusals below it. Names are those of the reference's FinalizationSpec, where it
 * has one.
 */
import { describe, expect, test } from "vitest";
import { ServedBlocks } from "../../../durable/chain-state/chain/served-blocks.ts";
import { Committee } from "../../support/builders/committee.ts";
import { violationOf } from "../../support/builders/violation-of.ts";

const three = { balances: [2_000_000n, 2_000_000n, 2_000_000n] };

describe("the finalized height", () => {
  test("follows a block with two thirds once the next block is appended", () => {
    const committee = Committee.committed(three);
    const { stored } = committee.chain;
    committee.append(0, { finalizationVoting: committee.voting({ endorsers: [1] }) });
    expect(stored.finalizedHeight()).toBe(1);
    const finalizationVoting = committee.voting({ endorsers: [2] });
    committee.append(0, { finalizationVoting });
    expect(stored.finalizedHeight()).toBe(2);
    committee.append(0);
    expect(stored.finalizedHeight()).toBe(3);
    expect(stored.state().finalizedHeight).toBe(3);
  });

  test("stays without votes, and with too few", () => {
    const committee = Committee.committed(three);
    const { stored } = committee.chain;
    committee.append(0);
    committee.append(0);
    expect(stored.finalizedHeight()).toBe(1);
  });

  test("follows each block of a generator that alone holds two thirds", () => {
    const committee = Committee.committed({ balances: [4_000_000n, 1_000_000n] });
    const { stored } = committee.chain;
    for (const finalized of [1, 2]) {
      committee.append(0);
      expect(stored.finalizedHeight()).toBe(finalized);
    }
    // A block of the other generator finalizes nothing.
    committee.append(1);
    expect(stored.finalizedHeight()).toBe(3);
    committee.append(1);
    expect(stored.finalizedHeight()).toBe(3);
  });

  test("does not depend on spendings after the block's parent", () => {
    const committee = Committee.committed({ balances: [4_000_000n, 1_000_000n] });
    committee.append(0, { transactions: [committee.transfer(0, 399_000_000_000_000n)] });
    expect(committee.view.storedFinalizedHeight(3)).toBe(2);
  });

  test("of a block that is replaced by a better one is rolled back with it", () => {
    const committee = Committee.committed(three);
    const { stored } = committee.chain;
    const better = committee.block(1);
    const finalizationVoting = committee.voting({ endorsers: [1, 2] });
    const worse = committee.block(0, { finalizationVoting, timestamp: better.header.timestamp + 1_000_000n });
    committee.node.append(worse);
    expect(committee.view.storedFinalizedHeight(3)).toBe(2);
    committee.node.append(better);
    expect(committee.view.storedFinalizedHeight(3)).toBe(1);
    committee.append(0);
    expect(stored.finalizedHeight()).toBe(1);
  });

  test("is a hundred blocks below the tip where no votes finalize more", () => {
    const committee = Committee.committed({ balances: [4_000_000n, 1_000_000n] });
    const { stored } = committee.chain;
    for (let height = 3; height <= 104; height++) committee.append(height < 5 ? 0 : 1);
    expect(stored.finalizedHeight()).toBe(4);
    committee.append(1);
    expect(stored.finalizedHeight()).toBe(5);
    expect(committee.view.storedFinalizedHeight(105)).toBe(5);
  });
});

describe("below the finalized height", () => {
  /** Committee at height 5 with finalized height 3. */
  function finalized(): Committee {
    const committee = Committee.committed({ balances: [4_000_000n, 1_000_000n] });
    committee.append(0);
    committee.append(0);
    committee.append(1);
    expect(committee.chain.stored.finalizedHeight()).toBe(3);
    return committee;
  }

  test("there is no rollback, except by force", async () => {
    const committee = finalized();
    const { forks, stored } = committee.chain;
    expect(violationOf(() => forks.revertTo(2))).toEqual({ code: "rollbackTooDeep", height: 2, lowestHeight: 3 });
    expect(forks.revertTo(4)).toBe(true);
    // Finalized blocks stay so.
    expect(stored.finalizedHeight()).toBe(3);
    expect(forks.revertTo(3)).toBe(true);
    expect(stored.finalizedHeight()).toBe(3);
    expect(stored.isTipFinal()).toBe(true);
    expect(violationOf(() => committee.appendMicroBlock(0, undefined))).toMatchObject({ code: "microBlockRefused" });
    forks.revertTo(2, { isForced: true });
    // Finalized height in the votings of the remaining blocks.
    expect(stored.finalizedHeight()).toBe(1);
  });

  test("a forced rollback to a block that finalizes its parent keeps that as final", () => {
    const committee = finalized();
    committee.chain.forks.revertTo(4, { isForced: true });
    expect(committee.chain.stored.finalizedHeight()).toBe(3);
    committee.chain.forks.revertTo(3, { isForced: true });
    expect(committee.chain.stored.finalizedHeight()).toBe(3);
  });

  test("no branch begins, whatever its weight", () => {
    const committee = finalized();
    const other = new Committee({ balances: [4_000_000n, 1_000_000n] });
    other.node.append(committee.chain.stored.findBlock(2) as never);
    const branch = [1, 1, 0, 1, 1, 1].map((generator) => other.append(generator, { rewardVote: 5n }));
    const context = { nowMs: committee.node.nowMs, verifySignatures: true };
    expect(violationOf(() => committee.chain.forks.appendBranch(branch, context))).toMatchObject({
      code: "rollbackTooDeep",
      height: 2,
      lowestHeight: 3,
    });
    expect(committee.node.height).toBe(5);
  });

  test("a branch that begins with the finalized block replaces the blocks above it", () => {
    const committee = finalized();
    const other = new Committee({ balances: [4_000_000n, 1_000_000n] });
    for (const height of [2, 3]) other.node.append(committee.chain.stored.findBlock(height) as never);
    const branch = [0, 1, 1, 1].map((generator) => other.append(generator, { rewardVote: 5n }));
    const context = { nowMs: committee.node.nowMs, verifySignatures: true };
    expect(committee.chain.forks.appendBranch(branch, context)).toBe(true);
    expect(committee.chain.stored.tip().id).toEqual(other.chain.stored.tip().id);
    expect(committee.chain.stored.finalizedHeight()).toBe(other.chain.stored.finalizedHeight());
  });

  test("no id is sent to peers when requesting the blocks after ours", () => {
    const committee = finalized();
    const { stored } = committee.chain;
    const served = new ServedBlocks(stored, committee.node.node.store);
    expect(served.lastIds(100)).toEqual([5, 4, 3].map((height) => committee.idAt(height)));
    // A peer that requests ours may have fewer blocks.
    expect(served.idsAfter([committee.idAt(1)], 100)).toEqual([1, 2, 3, 4, 5].map((height) => committee.idAt(height)));
  });
});
