/**
 * Light nodes apply transactions by snapshots. Generator rights, votings, conflicts and finalized heights follow from
 * headers on them, too.
 */
import { expect, test } from "vitest";
import { withSnapshots } from "../../../durable/chain-state/chain/append-context.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeSnapshotRecord } from "../../../src/protocol/snapshots/snapshot-record.ts";
import { Committee } from "../../support/builders/committee.ts";
import { violationOf, votingViolationOf } from "../../support/builders/violation-of.ts";

const three = { balances: [2_000_000n, 2_000_000n, 2_000_000n] };

/** Appends a block of the full node's chain by its snapshots there. */
function appendBySnapshots(full: Committee, light: Committee, height: number): void {
  const block = full.chain.stored.findBlock(height) as Block;
  const record = encodeSnapshotRecord(full.chain.stored.findStateSnapshots(height, 0, block.transactions.length) ?? []);
  light.node.node.append(block, withSnapshots({ nowMs: light.node.nowMs, verifySignatures: true }, block, record));
}

test("a light node has the same set, the same conflicts, penalties and final blocks as a full one", () => {
  const full = Committee.committed(three);
  const light = new Committee({ ...three, node: { ...privateNetwork.node, isLight: true } });
  full.append(0);
  const endorsedBlockId = full.idAt(2);
  const conflicts = [full.conflict(1, { endorsedBlockId })];
  full.appendMicroBlock(0, full.voting({ endorsers: [2], conflicts, endorsedBlockId }));
  full.append(2, { transactions: [full.transfer(1)] });
  full.append(1);
  for (const height of [2, 3, 4, 5]) {
    appendBySnapshots(full, light, height);
    expect(light.chain.stored.finalizedHeight()).toBe(height < 4 ? 1 : 2);
  }
  expect(light.chain.stored.tip()).toEqual(full.chain.stored.tip());
  expect(light.view.conflicts(3)).toEqual(new Map([[1, 3]]));
  expect([0, 1, 2].map((index) => light.balanceOf(index))).toEqual([0, 1, 2].map((index) => full.balanceOf(index)));
});

test("a light node refuses a generator that has not committed, and a voting that does not verify", () => {
  const full = Committee.committed({ ...three, members: [0, 1] });
  const light = new Committee({ ...three, node: { ...privateNetwork.node, isLight: true } });
  appendBySnapshots(full, light, 2);
  expect(violationOf(() => light.node.append(full.block(2)))).toMatchObject({ code: "generatorNotAllowed" });
  const wrong = full.block(0, { finalizationVoting: full.voting({ endorsers: [1], signers: [full.key(2)] }) });
  expect(votingViolationOf(() => light.node.append(wrong))).toEqual({ check: "signatureWrong" });
  light.node.append(full.block(0, { finalizationVoting: full.voting({ endorsers: [1] }) }));
  expect(light.node.height).toBe(3);
});
