import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Signature } from "../../../../src/crypto/identities.ts";
import type { Block, BlockId } from "../../../../src/protocol/blocks/block.ts";
import { extended, genesis, testBlock } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";
import { FakeChain } from "../../../support/fakes/fake-chain.ts";
import type { FakePeer } from "../../../support/fakes/fake-peer.ts";

const first = extended([genesis], 9);
const idsOf = (blocks: readonly Block[]): BlockId[] => blocks.map(({ id }) => id);
const shortId = (id: Uint8Array): string => `${encodeBase58(id).slice(0, 7)}...`;

/** Lets the node request ids of a peer that announces this height. */
async function requestedIds({
  peer,
  timers,
  height,
}: {
  peer: FakePeer;
  timers: { pass(ms: number): Promise<void> };
  height: number;
}) {
  await peer.announceHeight(height);
  await timers.pass(1_000);
}

describe("an extension", () => {
  it("is requested from a peer whose chain weighs more, once its score has settled", async () => {
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await peer.announceHeight(12);
    await timers.pass(999);
    expect(peer.got("getBlockIds")).toEqual([]);
    await timers.pass(1);
    expect(peer.got("getBlockIds")).toEqual([idsOf(first).reverse()]);
  });

  it("is not requested from a peer whose chain weighs as much as ours", async () => {
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 10 });
    expect(peer.got("getBlockIds")).toEqual([]);
  });

  it("is downloaded and applied as a whole, and the blocks after it too", async () => {
    const theirs = extended(first, 250);
    const { honest, chain, timers } = await testSync(first);
    const peer = honest(theirs);
    await timers.pass(1_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    expect(peer.reasons).toEqual([]);
    expect(new Set(peer.got("getBlock").map(encodeBase58)).size).toBe(250);
    expect(peer.got("getBlock").length).toBe(250);
    // Each extension had its own name, and ended once.
    expect(chain.parts.filter(({ isLast }) => isLast).length).toBe(new Set(chain.parts.map(({ name }) => name)).size);
  });

  it("is validated in several calls if needed, each with the same chunk", async () => {
    const theirs = extended(first, 5);
    const { honest, chain, timers } = await testSync(first);
    let calls = 0;
    chain.verdict = () => (++calls < 4 ? "unfinished" : undefined);
    const peer = honest(theirs);
    await timers.pass(1_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    expect(peer.reasons).toEqual([]);
    expect(chain.parts.length).toBe(4);
    expect(new Set(chain.parts.map(({ name }) => name)).size).toBe(1);
  });

  it("replaces a part of our chain that weighs less", async () => {
    const ours = extended(first, 5);
    const theirs = extended(first, 6, 1);
    const { honest, chain, timers } = await testSync(ours);
    honest(theirs);
    await timers.pass(1_000);
    expect(idsOf(chain.blocks)).toEqual(idsOf(theirs));
  });

  it("is requested once more with the blocks after it, if its hundred blocks weigh no more than ours", async () => {
    const ours = extended(first, 99);
    const theirs = extended(first, 150, 1);
    const { honest, chain, timers } = await testSync(ours);
    // Each of theirs weighs a little less.
    chain.verdict = (_, blocks) =>
      blocks.length <= 100 && chain.blocks.length === ours.length
        ? { kind: "refused", reason: "it weighs no more", isInvalid: false, isLighter: true }
        : undefined;
    const peer = honest(theirs);
    await timers.pass(2_000);
    expect(idsOf(chain.blocks).map(shortId)).toEqual(idsOf(theirs).map(shortId));
    expect([peer.reasons, peer.suspensions]).toEqual([[], 0]);
  });

  it("is requested no more than twice", async () => {
    const ours = extended(first, 99);
    const { honest, chain, timers } = await testSync(ours);
    chain.verdict = () => ({ kind: "refused", reason: "it weighs no more", isInvalid: false, isLighter: true });
    const peer = honest(extended(first, 350, 1));
    await timers.pass(9_000);
    // Each time the following blocks were in flight when it was refused.
    expect(peer.got("getBlock").length).toBeLessThanOrEqual(100 + 200 + 2 * 100);
    expect(chain.parts.filter(({ isLast }) => isLast).length).toBe(2);
    expect(peer.reasons).toEqual([]);
  });

  it("is sent to the chain with its own signatures verified", async () => {
    const { honest, chain, timers } = await testSync(first);
    honest(extended(first, 3));
    await timers.pass(1_000);
    // A flag for each block, none of which has transactions.
    expect(chain.verified).toEqual(["07"]);
  });

  it("is requested after one that the chain still applies", async () => {
    const theirs = extended(first, 120);
    const { honest, chain, timers } = await testSync(first);
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyExtension", gate.promise);
    const peer = honest(theirs);
    await timers.pass(1_000);
    const requests = peer.got("getBlockIds");
    expect(requests.length).toBe(2);
    expect(requests[1]).toEqual(idsOf(theirs.slice(10, 110)).reverse());
    expect(peer.got("getBlock").length).toBe(120);
    expect(chain.count("applyExtension")).toBe(1);
    gate.resolve();
    await timers.pass(0);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
  });

  it("is requested again if the peer's tip had changed when it sent the following ids", async () => {
    const [root, tip] = extended(first, 1).slice(9) as [Block, Block];
    const other = extended(first, 1, 1).at(-1) as Block;
    const { peer: newPeer, chain, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 12 });
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyExtension", gate.promise);
    await peer.emit({ kind: "blockIds", value: idsOf([root, tip]) });
    await peer.emit({ kind: "block", value: tip });
    expect(peer.got("getBlockIds")[1]).toEqual([tip.id]);
    await peer.emit({ kind: "blockIds", value: [other.id] });
    await peer.emit({ kind: "block", value: other });
    expect(peer.reasons).toEqual([]);
    gate.resolve();
    await timers.pass(1_000);
    expect(peer.got("getBlockIds")[2]?.[0]).toEqual(tip.id);
    expect(peer.reasons).toEqual([]);
  });

  it("continues when its ids come after the one before it was applied", async () => {
    const theirs = extended(first, 120);
    const { peer: newPeer, chain, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 130 });
    await peer.emit({ kind: "blockIds", value: idsOf(theirs.slice(9, 110)) });
    for (const value of theirs.slice(10, 110)) await peer.emit({ kind: "block", value });
    await timers.pass(0);
    expect(chain.blocks.length).toBe(110);
    expect(peer.got("getBlockIds").length).toBe(2);
    await peer.emit({ kind: "blockIds", value: idsOf(theirs.slice(109)) });
    expect(peer.got("getBlock").length).toBe(120);
  });

  it("is empty if the peer no longer knows the one before it, and is requested once that was applied", async () => {
    const theirs = extended(first, 5);
    const { peer: newPeer, chain, timers } = await testSync(first);
    const peer = newPeer();
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyExtension", gate.promise);
    await requestedIds({ peer, timers, height: 20 });
    await peer.emit({ kind: "blockIds", value: idsOf(theirs.slice(9)) });
    for (const value of theirs.slice(10)) await peer.emit({ kind: "block", value });
    await timers.pass(0);
    expect(peer.got("getBlockIds").length).toBe(2);
    await peer.emit({ kind: "blockIds", value: [] });
    expect(peer.reasons).toEqual([]);
    gate.resolve();
    await timers.pass(0);
    expect(peer.got("getBlockIds")[2]).toEqual(idsOf(theirs).reverse());
  });

  it("is dropped with the one before it, if that is refused", async () => {
    const theirs = extended(first, 120);
    const { honest, chain, timers } = await testSync(first);
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyExtension", gate.promise);
    chain.verdict = () => ({
      kind: "refused",
      reason: "it has a wrong base target",
      isInvalid: true,
      blockId: theirs[20]?.id as BlockId,
    });
    const peer = honest(theirs);
    await timers.pass(1_000);
    gate.resolve();
    await timers.pass(0);
    expect(peer.reasons).toEqual([
      `Error appending extension (total=100) [${shortId(theirs[10]?.id as BlockId)} -- ${shortId(theirs[109]?.id as BlockId)}]: it has a wrong base target`,
    ]);
    expect(chain.count("applyExtension")).toBe(1);
    // The block is not requested from another peer that has it.
    const other = honest(theirs);
    await timers.pass(1_000);
    expect(other.got("getBlock")).toEqual([]);
    expect(other.reasons).toEqual([
      `Signatures contain invalid block(s): ${encodeBase58(theirs[20]?.id as BlockId)}, it has a wrong base target`,
    ]);
  });

  it("is requested as signatures from a peer before release 1.2", async () => {
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer({ version: { major: 1, minor: 1, patch: 9 } });
    await requestedIds({ peer, timers, height: 12 });
    expect(peer.got("getBlockIds")).toEqual([]);
    // The blocks of this chain have hashes.
    expect(peer.got("getSignatures")).toEqual([[]]);
  });
});

describe("a peer is blacklisted", () => {
  it("that does not send its block ids", async () => {
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 12 });
    await timers.pass(59_999);
    expect(peer.got("getBlockIds").length).toBe(1);
    expect(peer.reasons).toEqual([]);
    await timers.pass(1);
    expect(peer.reasons).toEqual(["Timeout loading extension"]);
  });

  it("that has none of our blocks", async () => {
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 12 });
    await peer.emit({ kind: "blockIds", value: [] });
    expect(peer.reasons).toEqual(["Peer did not return any signatures and is likely on a fork"]);
  });

  it("that sends none of the blocks whose ids it sent", async () => {
    const theirs = extended(first, 5);
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 15 });
    await peer.emit({ kind: "blockIds", value: idsOf(theirs.slice(9)) });
    expect(peer.got("getBlock")).toEqual(idsOf(theirs.slice(10)));
    await timers.pass(60_000);
    expect(peer.reasons).toEqual(["Timeout loading first requested block"]);
  });

  it.each([
    [4, [10, 11, 13], (ids: BlockId[]) => `one=${shortId(ids.at(-1) as BlockId)}`],
    [5, [10, 11, 12], () => "total=2"],
  ])("that sends the ids of %i blocks and three blocks", async (named, sent, missing) => {
    const theirs = extended(first, named);
    const ids = idsOf(theirs.slice(9));
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 15 });
    await peer.emit({ kind: "blockIds", value: ids });
    for (const index of sent) await peer.emit({ kind: "block", value: theirs[index] as Block });
    await timers.pass(60_000);
    expect(peer.reasons).toEqual([`Timeout loading one of requested blocks, non-received blocks: ${missing(ids)}`]);
  });

  it("that repeats the same last id, and does not send the block", async () => {
    const theirs = extended(first, 2);
    const { honest, timers, chain } = await testSync(first);
    const peer = honest(theirs);
    peer.withheld.add((theirs[11] as Block).id);
    await timers.pass(11_000);
    expect(chain.blocks.length).toBe(11);
    await timers.pass(60_000);
    expect(peer.reasons).toEqual(["Timeout loading first requested block"]);
  });

  it("whose branch has no block with the last of ours in common", async () => {
    const theirs = extended([testBlock({ reference: genesis.id, height: 2, branch: 9 })], 15);
    const { peer: newPeer, timers, chain } = await testSync(first, { maxRollback: 8 });
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 17 });
    expect(peer.got("getBlockIds")[0]?.length).toBe(8);
    await peer.emit({ kind: "blockIds", value: idsOf(theirs) });
    await peer.emit({ kind: "block", value: theirs[0] as Block });
    expect(peer.reasons).toEqual([
      `Error appending extension (total=16) [${shortId(theirs[0]?.id as BlockId)} -- ${shortId(theirs[15]?.id as BlockId)}]: Fork contains no common parent`,
    ]);
    expect(chain.count("applyExtension")).toBe(0);
  });

  it("that sends ids in a wrong order", async () => {
    const theirs = extended(first, 4);
    const [a, b, c, d] = theirs.slice(10) as [Block, Block, Block, Block];
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 14 });
    await peer.emit({ kind: "blockIds", value: idsOf([theirs[9] as Block, a, c, b, d]) });
    await peer.emit({ kind: "block", value: a });
    await peer.emit({ kind: "block", value: c });
    expect(peer.reasons).toEqual([
      `Error appending extension (total=4) [${shortId(a.id)} -- ${shortId(d.id)}]: Block ${encodeBase58(c.id)} does not follow the one before it`,
    ]);
  });

  it("that sends a block with a wrong signature, and the block stays acceptable from others", async () => {
    const theirs = extended(first, 2);
    const [a, b] = theirs.slice(10) as [Block, Block];
    const { peer: newPeer, honest, timers, chain } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 12 });
    await peer.emit({ kind: "blockIds", value: idsOf(theirs.slice(9)) });
    await peer.emit({ kind: "block", value: { ...a, signature: new Uint8Array(64) as Signature } });
    expect(peer.reasons).toEqual([
      `Error appending extension (total=2) [${shortId(a.id)} -- ${shortId(b.id)}]: Block ${encodeBase58(a.id)} has invalid signature`,
    ]);
    honest(theirs);
    await timers.pass(1_000);
    expect(chain.tip.id).toEqual(b.id);
  });
});

describe("a block before version 5, whose id is its signature,", () => {
  it("that was changed is blamed on the sender of the block, not on the sender of its id", async () => {
    const root = testBlock({ reference: new Uint8Array(64) as Uint8Array as BlockId, height: 1, version: 4 });
    const next = testBlock({ reference: root.id, height: 2, version: 4 });
    const { peer: newPeer, timers, chain } = await testSync([root]);
    const [origin, helper] = [newPeer(), newPeer()];
    await requestedIds({ peer: origin, timers, height: 2 });
    await origin.emit({ kind: "blockIds", value: idsOf([root, next]) });
    await helper.announceHeight(2);
    await timers.pass(10_000);
    expect(helper.got("getBlock")).toEqual([next.id]);
    const changed = { ...next, header: { ...next.header, reference: next.id } };
    await helper.emit({ kind: "legacyBlock", value: changed });
    expect([origin.reasons.length, helper.reasons.length]).toEqual([0, 1]);
    await origin.emit({ kind: "legacyBlock", value: next });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(next.id);
  });
});

describe("a peer whose score is not backed by blocks", () => {
  it("does not keep others from being synced with, and is suspended in the end", async () => {
    const theirs = extended(first, 3);
    const { peer: newPeer, honest, timers, chain } = await testSync(first);
    const liar = newPeer();
    await liar.announceHeight(1_000);
    const peer = honest(theirs);
    await timers.pass(1_000);
    expect(liar.got("getBlockIds").length).toBe(1);
    expect(peer.got("getBlockIds").length).toBe(0);
    await liar.emit({ kind: "blockIds", value: [genesis.id] });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    for (let time = 1; time <= 4; time++) {
      await timers.pass(10_000);
      expect(liar.got("getBlockIds").length).toBe(1 + time);
      await liar.emit({ kind: "blockIds", value: [genesis.id] });
      await timers.pass(0);
    }
    expect(liar.suspensions).toBe(1);
  });

  it("does not delay the sync when it does not respond at all", async () => {
    const theirs = extended(first, 3);
    const { peer: newPeer, honest, timers, chain } = await testSync(first);
    const liars = [1, 2, 3].map(() => newPeer());
    for (const [index, liar] of liars.entries()) await liar.announceHeight(1_000 + index);
    honest(theirs);
    await timers.pass(16_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    await timers.pass(90_000);
    for (const liar of liars) expect(liar.reasons).toEqual(["Timeout loading extension"]);
  });

  it("counts again once it responds late", async () => {
    const theirs = extended(first, 3);
    const { peer: newPeer, timers, chain } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 13 });
    await timers.pass(30_000);
    await peer.emit({ kind: "blockIds", value: idsOf(theirs.slice(9)) });
    for (const value of theirs.slice(10)) await peer.emit({ kind: "block", value });
    await timers.pass(60_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    expect(peer.reasons).toEqual([]);
  });

  it("does not delay the sync of blocks that others have too", async () => {
    const theirs = extended(first, 3);
    const { peer: newPeer, honest, timers, chain } = await testSync(first);
    const liar = newPeer();
    await liar.announceHeight(1_000);
    const peer = honest(theirs);
    await timers.pass(1_000);
    await liar.emit({ kind: "blockIds", value: idsOf(theirs.slice(9)) });
    await timers.pass(10_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    expect(peer.got("getBlock").length).toBe(3);
  });

  it("is skipped when its blocks weigh no more than ours", async () => {
    const ours = extended(first, 5);
    const lighter = extended(first, 4, 1);
    const { timers, chain, peer: newPeer } = await testSync(ours);
    const liar = newPeer({ serves: new FakeChain(lighter) });
    await liar.announceHeight(100);
    await timers.pass(1_000);
    expect(chain.count("applyExtension")).toBe(1);
    expect(idsOf(chain.blocks)).toEqual(idsOf(ours));
    await timers.pass(9_000);
    expect(chain.count("applyExtension")).toBe(1);
    expect(liar.reasons).toEqual([]);
  });
});

describe("blocks of one extension", () => {
  it("come from all peers with an equal score", async () => {
    const theirs = extended(first, 60);
    const { honest, timers, chain } = await testSync(first);
    const answersAfter = (respond: () => void) => void timers.after(100, respond);
    const peers = [1, 2, 3].map(() => honest(theirs, { respondsAfter: answersAfter }));
    await timers.pass(2_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    const counts = peers.map((peer) => peer.got("getBlock").length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(10);
  });

  it("are requested from another peer when one is slow", async () => {
    const theirs = extended(first, 3);
    const { honest, timers, chain } = await testSync(first);
    const slow = honest(theirs);
    for (const { id } of theirs) slow.withheld.add(id);
    await timers.pass(1_000);
    const quick = honest(theirs);
    await timers.pass(9_999);
    expect(quick.got("getBlock")).toEqual([]);
    await timers.pass(1);
    expect(quick.got("getBlock").length).toBe(3);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    expect(slow.reasons).toEqual([]);
  });

  it("are requested from another peer when one has disconnected", async () => {
    const theirs = extended(first, 3);
    const { honest, timers, chain } = await testSync(first);
    const gone = honest(theirs);
    for (const { id } of theirs) gone.withheld.add(id);
    await timers.pass(1_000);
    const other = honest(theirs);
    await timers.pass(1_000);
    gone.close();
    await timers.pass(0);
    expect(other.sent.map(({ kind }) => kind).find((kind) => kind !== "score")).toBe("getBlock");
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
  });

  it("are given up when no peer has them any more, and ids are requested again", async () => {
    const theirs = extended(first, 3);
    const { honest, timers, chain } = await testSync(first);
    const gone = honest(theirs);
    for (const { id } of theirs) gone.withheld.add(id);
    await timers.pass(1_000);
    const other = honest(theirs.slice(0, -1));
    await timers.pass(1_000);
    gone.close();
    await timers.pass(0);
    expect(other.got("getBlockIds")[0]).toEqual(idsOf(first).reverse());
    expect(chain.tip.id).toEqual(theirs.at(-2)?.id);
  });

  it("that a peer no longer has, since it has changed to another branch, are no longer waited for", async () => {
    const old = extended(first, 3);
    const now = extended(first, 4, 1);
    const { timers, chain, peer: newPeer } = await testSync(first);
    const serves = new FakeChain(now);
    const peer = newPeer({ serves });
    await peer.announceHeight(13);
    serves.gates.set("blockIdsAfter", new Promise(() => {}));
    await timers.pass(1_000);
    await peer.emit({ kind: "blockIds", value: idsOf(old.slice(9)) });
    serves.gates.clear();
    await peer.announceHeight(14);
    await timers.pass(15_000);
    expect(chain.tip.id).toEqual(now.at(-1)?.id);
    expect(peer.reasons).toEqual([]);
  });

  it("that were not requested are no part of it", async () => {
    const theirs = extended(first, 3);
    const { timers, chain, peer: newPeer } = await testSync(first);
    const peer = newPeer();
    const stranger = newPeer();
    await requestedIds({ peer, timers, height: 13 });
    await peer.emit({ kind: "blockIds", value: idsOf(theirs.slice(9)) });
    await stranger.emit({ kind: "block", value: theirs[12] as Block });
    await timers.pass(0);
    expect(chain.calls.filter((call) => call.startsWith("apply"))).toEqual(["applyBlock"]);
  });
});

/** Like a node written in Go. */
describe("a peer that knows its tip by its last id alone", () => {
  it.each([1, 4])(
    "is sent another request for ids when its tip, the last of %i, was another one before",
    async (count) => {
      const old = extended(first, count);
      const grown = [...old.slice(0, -1), ...extended(old.slice(0, -1), 1, 1).slice(-1)];
      const { peer: newPeer, timers, chain } = await testSync(first);
      const serves = new FakeChain(grown);
      const peer = newPeer({ serves });
      const gate = Promise.withResolvers<void>();
      serves.gates.set("blockIdsAfter", gate.promise);
      await timers.pass(1_000);
      await peer.emit({ kind: "blockIds", value: idsOf(old.slice(9)) });
      serves.gates.clear();
      await timers.pass(12_000);
      expect(chain.tip.id).toEqual(grown.at(-1)?.id);
      await timers.pass(90_000);
      expect(peer.reasons).toEqual([]);
      expect(peer.suspensions).toBe(0);
    },
  );
});

describe("time in which the process was suspended", () => {
  it("does not count against a peer", async () => {
    const { peer: newPeer, timers } = await testSync(first);
    const peer = newPeer();
    await requestedIds({ peer, timers, height: 12 });
    // The process is suspended for two minutes: the due timer fires late, and messages are read after it.
    timers.stall(120_000);
    await timers.pass(0);
    expect(peer.reasons).toEqual([]);
    await timers.pass(60_000);
    expect(peer.reasons).toEqual(["Timeout loading extension"]);
  });
});

describe("an unreachable chain", () => {
  it("is called again, and no peer is blamed", async () => {
    const theirs = extended(first, 3);
    const { honest, timers, chain, errors } = await testSync(first);
    chain.broken.add("lastBlockIds");
    const peer = honest(theirs);
    await timers.pass(1_500);
    chain.broken.clear();
    chain.broken.add("applyExtension");
    await timers.pass(1_000);
    chain.broken.clear();
    expect(chain.tip.id).toEqual(first.at(-1)?.id);
    await timers.pass(1_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    expect(peer.reasons).toEqual([]);
    expect(errors.length).toBeGreaterThanOrEqual(2);
  });
});
