/** Peers that send requested blocks so slowly that no other peer would be used. */
import { describe, expect, it } from "vitest";
import { bytesKey } from "../../../../src/crypto/bytes.ts";
import { encodeHex } from "../../../../src/crypto/hex.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { extended, genesis } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";
import type { FakePeerOptions } from "../../../support/fakes/fake-peer.ts";
import type { FakeTimers } from "../../../support/fakes/fake-timers.ts";

/** Less than the timeout for a block, ms. */
const DROP_MS = 4_900;

const first = extended([genesis], 9);
const tipOf = (blocks: readonly Block[]): string => encodeHex((blocks.at(-1) as Block).id);

/** One block after the other, `everyMs` apart. */
function dripping(timers: FakeTimers, everyMs = DROP_MS): Required<Pick<FakePeerOptions, "respondsAfter">> {
  let lastMs = 0;
  return {
    respondsAfter: (respond) => {
      lastMs = Math.max(lastMs, timers.nowMs()) + everyMs;
      timers.after(lastMs - timers.nowMs(), respond);
    },
  };
}

describe("a peer that sends a block every five seconds", () => {
  it("is blacklisted with the first invalid one, and other peers are used", async () => {
    const madeUp = extended(first, 100, 7);
    const madeUpIds = new Set(madeUp.slice(first.length).map(({ id }) => bytesKey(id)));
    const theirs = extended(first, 3);
    const { honest, chain, timers } = await testSync(first);
    chain.verdict = (what, blocks) =>
      what === "extension" && blocks.some(({ id }) => madeUpIds.has(bytesKey(id)))
        ? { kind: "refused", reason: "its hit is too great", isInvalid: true }
        : undefined;
    const dripper = honest(madeUp, dripping(timers));
    const peer = honest(theirs);
    await timers.pass(1_000);
    expect(dripper.got("getBlockIds").length).toBe(1);
    await timers.pass(15_000);
    expect(dripper.reasons).toEqual([expect.stringContaining("its hit is too great")]);
    expect(tipOf(chain.blocks)).toBe(tipOf(theirs));
    expect(peer.reasons).toEqual([]);
  });

  it("has its blocks applied as they come, if they extend the tip", async () => {
    const theirs = extended(first, 100);
    const { honest, chain, timers } = await testSync(first);
    const slow = honest(theirs, dripping(timers));
    await timers.pass(60_000);
    expect(chain.blocks.length).toBeGreaterThanOrEqual(first.length + 8);
    await timers.pass(100 * DROP_MS);
    expect(tipOf(chain.blocks)).toBe(tipOf(theirs));
    expect(slow.reasons).toEqual([]);
    expect(slow.got("getBlock").length).toBe(100);
  });

  it("is not the only source of blocks that others have, too", async () => {
    const theirs = extended(first, 100);
    const { honest, chain, timers } = await testSync(first);
    const slow = honest(theirs, dripping(timers));
    honest(theirs.slice(0, -1));
    await timers.pass(30_000);
    expect(chain.blocks.length).toBeGreaterThanOrEqual(theirs.length - 1);
    expect(slow.reasons).toEqual([]);
  });

  it("does not keep others waiting with a branch, and has lower priority from then on", async () => {
    const ours = extended(first, 5);
    const branch = extended(first, 100, 7);
    const theirs = extended(ours, 3);
    const { honest, chain, timers } = await testSync(ours);
    const dripper = honest(branch, dripping(timers));
    honest(theirs);
    await timers.pass(70_000);
    expect(tipOf(chain.blocks)).toBe(tipOf(theirs));
    expect(dripper.reasons).toEqual([]);
    // Nor by another connection of its host.
    dripper.close();
    await timers.pass(1_000);
    const again = honest(extended(first, 200, 7), { ...dripping(timers), host: dripper });
    await timers.pass(2_000);
    expect(again.got("getBlockIds").length).toBe(1);
    const next = extended(theirs, 3);
    honest(next);
    await timers.pass(6_000);
    expect(tipOf(chain.blocks)).toBe(tipOf(next));
  });

  it("does not keep others waiting for the first of its blocks while it sends the following ones", async () => {
    const madeUp = extended(first, 100, 7);
    const theirs = extended(first, 3);
    const { honest, chain, timers } = await testSync(first);
    const dripper = honest(madeUp, dripping(timers));
    dripper.withheld.add((madeUp[10] as Block).id);
    honest(theirs);
    await timers.pass(70_000);
    expect(tipOf(chain.blocks)).toBe(tipOf(theirs));
  });

  it("is waited for with a branch when no other peer is ahead", async () => {
    const ours = extended(first, 5);
    const branch = extended(first, 60, 7);
    const { honest, chain, timers } = await testSync(ours);
    const slow = honest(branch, dripping(timers));
    honest(ours);
    await timers.pass(60 * DROP_MS + 10_000);
    expect(tipOf(chain.blocks)).toBe(tipOf(branch));
    expect(slow.reasons).toEqual([]);
  });

  it("is waited for with a branch that others send, too", async () => {
    const ours = extended(first, 5);
    const branch = extended(first, 60, 7);
    const { honest, chain, timers } = await testSync(ours);
    const slow = [1, 2].map(() => honest(branch, dripping(timers)));
    await timers.pass(60_000);
    // Otherwise its score would expire.
    for (const peer of slow) await peer.announceHeight(branch.length);
    await timers.pass(180_000);
    expect(tipOf(chain.blocks)).toBe(tipOf(branch));
    // Blocks requested from the first one before the other's score counted were requested from the other one, too.
    expect(slow.flatMap((peer) => peer.got("getBlock")).length).toBeLessThanOrEqual(60 + 32);
  });

  it("is waited for if all peers ahead are as slow", async () => {
    const ours = extended(first, 5);
    const branches = [7, 8].map((branch) => extended(first, 60, branch));
    const { honest, chain, timers } = await testSync(ours);
    const slow = branches.map((branch) => honest(branch, dripping(timers)));
    await timers.pass(70_000 + 60 * DROP_MS + 10_000);
    expect(chain.blocks.length).toBe(first.length + 60);
    for (const peer of slow) expect(peer.reasons).toEqual([]);
  });
});
