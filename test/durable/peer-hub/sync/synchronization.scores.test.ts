import { describe, expect, it } from "vitest";
import { extended, genesis } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";
import { FakePeer } from "../../../support/fakes/fake-peer.ts";

const ours = extended([genesis], 9);

describe("our score", () => {
  it("is sent to each peer once it is known", async () => {
    const { peer: newPeer } = await testSync(ours);
    expect(newPeer().got("score")).toEqual([1_000n]);
  });

  it("is sent to a new peer once more, which may not have listened yet", async () => {
    const { timers, peer: newPeer } = await testSync(ours);
    const [peer, other] = [newPeer(), newPeer()];
    other.close();
    await timers.pass(60_000);
    expect(peer.got("score")).toEqual([1_000n, 1_000n]);
    expect(other.got("score")).toEqual([1_000n]);
  });

  it("is sent to peers that connected before the chain's tip was known", async () => {
    const { sync, chain, timers, errors } = await testSync(ours, { isBroken: true });
    const peer = new FakePeer(sync);
    expect(peer.got("score")).toEqual([]);
    expect(errors.length).toBe(1);
    chain.broken.clear();
    await timers.pass(2_000);
    expect(peer.got("score")).toEqual([1_000n]);
  });

  it("is requested less and less often while the chain is unreachable, and the log says so once a minute", async () => {
    const { chain, timers, errors } = await testSync(ours, { isBroken: true });
    await timers.pass(30 * 60_000);
    const calls = chain.calls.filter((call) => call === "chainTip").length;
    expect(calls).toBeGreaterThan(30);
    expect(calls).toBeLessThan(40);
    expect(errors.length).toBeLessThanOrEqual(30);
    expect(errors[1]).toContain("times before");
  });

  it("is sent once a second at most", async () => {
    const { sync, chain, timers, peer: newPeer } = await testSync(ours);
    const peer = newPeer();
    for (let height = 11; height <= 20; height++) {
      chain.blocks = extended(chain.blocks, 1);
      sync.onChainEvents({ tip: chain.now });
      await timers.pass(250);
    }
    await timers.pass(1_000);
    expect(peer.got("score")).toEqual([1_000n, 1_400n, 1_800n, 2_000n]);
  });

  it("is not sent again for a micro-block", async () => {
    const { sync, chain, timers, peer: newPeer } = await testSync(ours);
    const peer = newPeer();
    chain.totalId = new Uint8Array(32);
    sync.onChainEvents({ tip: chain.now });
    await timers.pass(2_000);
    expect(peer.got("score")).toEqual([1_000n]);
  });
});

describe("the score of a peer", () => {
  it("counts once it has settled", async () => {
    const { timers, peer: newPeer } = await testSync(ours);
    const peer = newPeer();
    for (let height = 20; height < 25; height++) {
      await peer.announceHeight(height);
      await timers.pass(999);
    }
    expect(peer.got("getBlockIds")).toEqual([]);
    await timers.pass(1);
    expect(peer.got("getBlockIds").length).toBe(1);
  });

  it("does not count any more after its timeout", async () => {
    const { timers, chain, peer: newPeer } = await testSync(ours);
    chain.broken.add("lastBlockIds");
    const peer = newPeer();
    await peer.announceHeight(20);
    await timers.pass(92_000);
    chain.broken.clear();
    await timers.pass(60_000);
    expect(peer.got("getBlockIds")).toEqual([]);
    await peer.announceHeight(21);
    await timers.pass(1_000);
    expect(peer.got("getBlockIds").length).toBe(1);
  });

  it("that is the greatest decides with whom to sync", async () => {
    const { timers, peer: newPeer } = await testSync(ours);
    const [lower, greater, equal] = [newPeer(), newPeer(), newPeer()];
    await lower.announceHeight(20);
    await greater.announceHeight(30);
    await equal.announceHeight(10);
    // All settle at the same time, and the first one is requested before the second one counts.
    await timers.pass(1_000);
    expect(lower.got("getBlockIds").length).toBe(1);
    await lower.emit({ kind: "blockIds", value: [] });
    expect(greater.got("getBlockIds").length).toBe(0);
    await timers.pass(0);
    expect(greater.got("getBlockIds").length).toBe(1);
    greater.close();
    await timers.pass(10_000);
    expect(equal.got("getBlockIds")).toEqual([]);
  });
});

describe("the number of connections", () => {
  it("is reported to the chain when it changes, and each minute as long as there is one", async () => {
    const { timers, chain, peer: newPeer } = await testSync(ours);
    const [first, second] = [newPeer(), newPeer()];
    await timers.pass(0);
    expect(chain.connectedPeers).toEqual([0, 1, 2]);
    await timers.pass(60_000);
    expect(chain.connectedPeers).toEqual([0, 1, 2, 2]);
    first.close();
    second.close();
    await timers.pass(0);
    expect(chain.connectedPeers.at(-1)).toBe(0);
    const reports = chain.connectedPeers.length;
    await timers.pass(10 * 60_000);
    expect(chain.connectedPeers.length).toBe(reports);
  });

  it("is reported as 0 at the start, until the chain knows it: it may count on those of an earlier start", async () => {
    const { timers, chain } = await testSync(ours, { prepare: ({ broken }) => void broken.add("connected") });
    expect(chain.connectedPeers).toEqual([0]);
    chain.broken.clear();
    await timers.pass(10 * 60_000);
    expect(chain.connectedPeers).toEqual([0, 0]);
  });

  it("is reported again after the chain was unreachable, and the tip is requested with it", async () => {
    const { timers, chain, peer: newPeer } = await testSync(ours);
    chain.broken.add("connected");
    const peer = newPeer();
    await timers.pass(0);
    chain.broken.clear();
    chain.blocks = extended(ours, 1);
    await timers.pass(2_000);
    expect(chain.connectedPeers).toEqual([0, 1, 1]);
    expect(peer.got("score")).toEqual([1_000n, 1_100n]);
  });
});

describe("progress", () => {
  it("is undefined while no peer is ahead", async () => {
    const { sync, peer: newPeer } = await testSync(ours);
    newPeer();
    expect(sync.progress()).toEqual({ height: 10, blocksAhead: 0, connectedPeers: 1 });
  });

  it("is at least one block while a peer is ahead, and follows from the growth of our chain", async () => {
    const { sync, timers, chain, peer: newPeer } = await testSync(ours);
    const peer = newPeer();
    await peer.announceHeight(70);
    await timers.pass(1_000);
    expect(sync.progress().blocksAhead).toBe(1);
    await timers.pass(60 * 60_000 - 2_000);
    chain.blocks = extended(ours, 10);
    sync.onChainEvents({ tip: chain.now });
    await newPeer().announceHeight(75);
    await timers.pass(1_000);
    // By its weight it is 55 blocks away; our tip is 50 minutes behind, and a block takes one.
    expect(sync.progress()).toEqual({ height: 20, blocksAhead: 50, connectedPeers: 1 });
  });
});

describe("a stop", () => {
  it("leaves no timer", async () => {
    const { sync, timers, peer: newPeer } = await testSync(ours);
    const peer = newPeer();
    await peer.announceHeight(20);
    await timers.pass(1_000);
    expect(timers.pending).toBeGreaterThan(0);
    sync.stop();
    expect(timers.pending).toBe(0);
  });
});
