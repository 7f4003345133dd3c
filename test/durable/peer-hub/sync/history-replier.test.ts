import { describe, expect, it } from "vitest";
import { servedLimits } from "../../../../durable/peer-hub/sync/served-bytes.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Block, BlockId } from "../../../../src/protocol/blocks/block.ts";
import { extended, genesis } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";

const ours = extended([genesis], 200);
const unknown = new Uint8Array(32).fill(9) as Uint8Array as BlockId;
const idsOf = (blocks: readonly Block[]): BlockId[] => blocks.map(({ id }) => id);

describe("a peer that requests", () => {
  it("ids after its own gets the first common one, and a hundred more", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const peer = newPeer();
    await peer.emit({ kind: "getBlockIds", value: [unknown, (ours[20] as Block).id, (ours[19] as Block).id] });
    await timers.pass(0);
    expect(peer.got("blockIds")).toEqual([idsOf(ours.slice(20, 121))]);
  });

  it("ids gets none if no block is common", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const peer = newPeer();
    await peer.emit({ kind: "getBlockIds", value: [unknown] });
    await timers.pass(0);
    expect(peer.got("blockIds")).toEqual([[]]);
  });

  it("signatures gets those ids that are signatures", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const peer = newPeer();
    await peer.emit({ kind: "getSignatures", value: [] });
    await timers.pass(0);
    expect(peer.got("signatures")).toEqual([[]]);
  });

  it("blocks and state snapshots gets the existing ones, in order", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const peer = newPeer();
    const [a, b] = ours.slice(5) as [Block, Block];
    await peer.emit({ kind: "getBlock", value: a.id });
    await peer.emit({ kind: "getBlock", value: unknown });
    await peer.emit({ kind: "getBlockSnapshot", value: a.id });
    await peer.emit({ kind: "getBlockSnapshot", value: unknown });
    await peer.emit({ kind: "getMicroBlockSnapshot", value: unknown });
    await peer.emit({ kind: "getBlock", value: b.id });
    await timers.pass(0);
    expect(peer.sent.filter(({ kind }) => kind !== "score").map(({ kind }) => kind)).toEqual([
      "block",
      "blockSnapshot",
      "block",
    ]);
    expect(peer.got("block").map(({ id }) => encodeBase58(id))).toEqual([a.id, b.id].map(encodeBase58));
  });

  it("faster than it reads gets no more until it has read", async () => {
    const { peer: newPeer, timers, chain } = await testSync(ours);
    const peer = newPeer();
    const drained = Promise.withResolvers<void>();
    peer.drains = drained.promise;
    for (const value of idsOf(ours.slice(1, 50))) await peer.emit({ kind: "getBlock", value });
    await timers.pass(0);
    expect(chain.count("findBlock")).toBe(0);
    drained.resolve();
    await timers.pass(0);
    expect(peer.got("block").length).toBe(49);
  });

  it("more than it could wait for is not read until some was sent", async () => {
    const { peer: newPeer, timers, chain } = await testSync(ours);
    const peer = newPeer();
    const gate = Promise.withResolvers<void>();
    chain.gates.set("blockIdsAfter", gate.promise);
    let read = 0;
    for (let count = 0; count < 300; count++)
      void peer.emit({ kind: "getBlockIds", value: [genesis.id] }).then(() => (read += 1));
    await timers.pass(0);
    expect(read).toBe(256);
    gate.resolve();
    await timers.pass(0);
    expect(read).toBe(300);
    expect(peer.got("blockIds").length).toBe(300);
  });

  it("for more than its host's share of a minute waits for the next one, and others do not", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const [first, other] = [newPeer(), newPeer()];
    const neighbour = newPeer({ host: first });
    const ids = idsOf(ours.slice(0, 100)).reverse();
    const questions = 2 * 750;
    const asking = [first, neighbour].map(async (peer) => {
      for (let asked = 0; asked < questions / 2; asked++) await peer.emit({ kind: "getBlockIds", value: ids });
    });
    await timers.pass(0);
    const answered = () => first.got("blockIds").length + neighbour.got("blockIds").length;
    const { ofHost } = servedLimits;
    const answerBytes = 100 * 1_024 + 101 * 33;
    expect(answered()).toBeGreaterThan(0.9 * (ofHost / answerBytes));
    expect(answered()).toBeLessThan(1.1 * (ofHost / answerBytes));
    await other.emit({ kind: "getBlockIds", value: ids });
    await timers.pass(0);
    expect(other.got("blockIds")).toHaveLength(1);
    await timers.pass(62_000);
    await Promise.all(asking);
    await timers.pass(0);
    expect(answered()).toBe(questions);
  });

  it("and disconnects gets no response", async () => {
    const { peer: newPeer, timers, chain } = await testSync(ours);
    const peer = newPeer();
    const gate = Promise.withResolvers<void>();
    chain.gates.set("findBlock", gate.promise);
    for (const value of idsOf(ours.slice(1, 50))) await peer.emit({ kind: "getBlock", value });
    peer.close();
    gate.resolve();
    await timers.pass(0);
    expect(chain.count("findBlock")).toBe(1);
  });

  it("while the chain is unreachable gets its response a second later", async () => {
    const { peer: newPeer, timers, chain, errors } = await testSync(ours);
    const peer = newPeer();
    chain.broken.add("findBlock");
    await peer.emit({ kind: "getBlock", value: (ours[5] as Block).id });
    await timers.pass(0);
    chain.broken.clear();
    await timers.pass(1_000);
    expect(peer.got("block").map(({ id }) => id)).toEqual([ours[5]?.id]);
    expect(errors.length).toBe(1);
  });

  it("while the chain stays unreachable gets no response, but the next one", async () => {
    const { peer: newPeer, timers, chain } = await testSync(ours);
    const peer = newPeer();
    chain.broken.add("findBlock");
    await peer.emit({ kind: "getBlock", value: (ours[5] as Block).id });
    await peer.emit({ kind: "getBlockIds", value: [genesis.id] });
    await timers.pass(1_000);
    expect(peer.got("block")).toEqual([]);
    expect(peer.got("blockIds").length).toBe(1);
    expect(chain.count("findBlock")).toBe(2);
  });
});

describe("a hundred peers", () => {
  it("the tip cost the chain one query", async () => {
    const { peer: newPeer, timers, chain } = await testSync(ours);
    const peers = Array.from({ length: 100 }, () => newPeer());
    const tip = ours.at(-1) as Block;
    for (const peer of peers) await peer.emit({ kind: "getBlock", value: tip.id });
    await timers.pass(0);
    for (const peer of peers) expect(peer.got("block").length).toBe(1);
    expect(chain.count("findBlock")).toBe(1);
  });

  it("different blocks have four queries in flight at a time", async () => {
    const { peer: newPeer, timers, chain } = await testSync(ours);
    const peers = Array.from({ length: 100 }, () => newPeer());
    const gate = Promise.withResolvers<void>();
    chain.gates.set("findBlock", gate.promise);
    for (const [index, peer] of peers.entries())
      await peer.emit({ kind: "getBlock", value: (ours[index] as Block).id });
    await timers.pass(0);
    expect(chain.count("findBlock")).toBe(4);
    gate.resolve();
    await timers.pass(0);
    for (const peer of peers) expect(peer.got("block").length).toBe(1);
  });

  it("are served in turn, even if one of them sends requests without end", async () => {
    const { peer: newPeer, timers, chain } = await testSync(ours);
    const [flooder, ...others] = Array.from({ length: 100 }, () => newPeer());
    const gate = Promise.withResolvers<void>();
    chain.gates.set("blockIdsAfter", gate.promise);
    for (let count = 0; count < 250; count++) await flooder?.emit({ kind: "getBlockIds", value: [genesis.id] });
    for (const peer of others) await peer.emit({ kind: "getBlockIds", value: [genesis.id] });
    await timers.pass(0);
    // One request of the flood is in flight, or waits for its turn.
    expect(chain.count("blockIdsAfter")).toBe(4);
    gate.resolve();
    await timers.pass(0);
    for (const peer of others) expect(peer.got("blockIds").length).toBe(1);
  });
});

it("with requests for many ids that it does not read is not read any further", async () => {
  const { peer: newPeer, timers } = await testSync(ours);
  const peer = newPeer();
  peer.drains = new Promise(() => {});
  const value = new Array<BlockId>(200).fill(unknown);
  let read = 0;
  for (let count = 0; count < 256; count++) void peer.emit({ kind: "getBlockIds", value }).then(() => read++);
  await timers.pass(0);
  // The first response is sent, the next one waits, and the one after it is not queried.
  expect(read).toBe(2);
});

it("repeatedly while the chain is unreachable does not fill the log", async () => {
  const { peer: newPeer, timers, chain, errors } = await testSync(ours);
  const peer = newPeer();
  chain.broken.add("findBlock");
  for (let count = 0; count < 100; count++) await peer.emit({ kind: "getBlock", value: unknown });
  await timers.pass(0);
  expect(errors.length).toBe(1);
});
