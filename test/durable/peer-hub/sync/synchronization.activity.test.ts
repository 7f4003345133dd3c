import { expect, it } from "vitest";
import type { SyncActivity } from "../../../../src/env.ts";
import { peerAddressText } from "../../../../src/protocol/messages/peer-address-text.ts";
import { extended, genesis } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";

const ours = extended([genesis], 9);
const resting: SyncActivity = {
  ...{ best: undefined, scores: 0, isRequestingIds: false, missingBlocks: 0, isApplying: false },
  ...{ cachedBlocks: 0, cachedMicroBlocks: 0, microBlocks: { announced: 0, bases: 0, awaited: 0, validated: 0 } },
};

it("a node without peers does nothing", async () => {
  const { sync } = await testSync(ours);
  expect(sync.activity()).toEqual(resting);
});

it("reports a peer with a greater score, requests to it, and a busy chain", async () => {
  const theirs = extended(ours, 20);
  const { sync, peer: newPeer, timers, chain } = await testSync(ours);
  const gate = Promise.withResolvers<void>();
  chain.gates.set("applyExtension", gate.promise);
  const peer = newPeer();
  await peer.announceHeight(theirs.length);
  await timers.pass(1_000);
  const best = { address: peerAddressText(peer.remote), score: 3_000n };
  expect(sync.activity()).toEqual({ ...resting, best, scores: 1, isRequestingIds: true });
  await peer.emit({ kind: "blockIds", value: theirs.slice(9).map(({ id }) => id) });
  expect(sync.activity()).toMatchObject({ missingBlocks: 20 });
  for (const value of theirs.slice(10)) await peer.emit({ kind: "block", value });
  await timers.pass(0);
  expect(sync.activity()).toMatchObject({ best, missingBlocks: 0, isApplying: true });
  gate.resolve();
  await timers.pass(0);
  expect(sync.activity()).toMatchObject({ best: undefined, scores: 1, isApplying: false });
});

it("counts blocks that peers have requested", async () => {
  const { sync, peer: newPeer, timers } = await testSync(ours);
  const peer = newPeer();
  for (const { id } of ours.slice(-3)) await peer.emit({ kind: "getBlock", value: id });
  await timers.pass(0);
  expect(sync.activity().cachedBlocks).toBe(3);
});
