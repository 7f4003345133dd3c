/** Light node: snapshots are requested from the sender of the blocks, if a state hash proves them. */
import { describe, expect, it } from "vitest";
import { MOST_SNAPSHOT_BYTES } from "../../../../durable/peer-hub/sync/sent-snapshots.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { sign } from "../../../../src/crypto/curve25519.ts";
import type { Digest, Signature } from "../../../../src/crypto/identities.ts";
import { peerHubBytes } from "../../../../src/platform/memory-budget.ts";
import type { Block, BlockId, MicroBlock } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { microBlockSignedBytes } from "../../../../src/protocol/messages/micro-block.ts";
import { buildMicroBlockInv } from "../../../../src/protocol/messages/micro-block-inv.ts";
import { transfersFor } from "../../../support/builders/own-blocks.ts";
import { chainId, extended, genesis, keys, testBlock } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";

const ours = extended([genesis], 2);
const tip = ours.at(-1) as Block;
const stateHash = new Uint8Array(32).fill(7) as Uint8Array as Digest;
const transactions = transfersFor(5);
const random = (sizeBytes: number): Uint8Array => new Uint8Array(sizeBytes).fill(5);

/** Blocks on top of ours: a proved one, one without transactions, one without a state hash, and a proved one. */
function mixed(): Block[] {
  const chain = [...ours];
  for (const fields of [{ stateHash, transactions }, { stateHash }, { transactions }, { stateHash, transactions }])
    chain.push(testBlock({ reference: (chain.at(-1) as Block).id, height: chain.length + 1, ...fields }));
  return chain;
}
const theirs = mixed();
const [first, , , last] = theirs.slice(ours.length) as [Block, Block, Block, Block];
const refusedSnapshots = { kind: "refused", reason: "no", isInvalid: true, isOfSnapshots: true } as const;

describe("an extension in light mode", () => {
  it("is applied with the snapshots of the blocks that prove them, and no others", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    const peer = honest(theirs);
    await timers.pass(10_000);
    expect(chain.tip.id).toEqual(last.id);
    expect(peer.got("getBlockSnapshot")).toEqual([first.id, last.id]);
    const own = transactions.map(() => `of ${peer.id}`);
    expect(chain.snapshots).toEqual([[own, [], [], own]]);
    expect(peer.reasons).toEqual([]);
  });

  it("is applied without any in full mode, in which none is read", async () => {
    const { honest, chain, timers, sync } = await testSync(ours);
    const peer = honest(theirs);
    expect(sync.expectsSnapshots(peer)).toBe(false);
    await timers.pass(10_000);
    expect(chain.tip.id).toEqual(last.id);
    expect(peer.got("getBlockSnapshot")).toEqual([]);
    expect(chain.snapshots).toEqual([undefined]);
    expect(await peer.emitSnapshots("blockSnapshot", first.id, ["a"])).toBe(true);
  });

  it("has its signatures of transactions verified only if these are executed", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    honest(theirs);
    await timers.pass(10_000);
    const { length } = transactions;
    const flags = [true, ...new Array(length).fill(false), true, true, ...new Array(length).fill(true), true];
    const bits = flags.reduce((sum, flag, index) => sum | (BigInt(flag) << BigInt(index)), 0n);
    const text = bits.toString(16).padStart(2 * Math.ceil((4 + 3 * length) / 8), "0");
    expect(chain.verified).toEqual([(text.match(/../g) as string[]).reverse().join("")]);
  });

  it("blacklists the sender of a wrong number of snapshots, and requests them from another peer", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    const wrong = honest(theirs, { snapshotsOf: () => ["one"] });
    const other = honest(theirs);
    await timers.pass(30_000);
    expect(wrong.reasons[0]).toMatch(/^Snapshot of block .* is invalid: 1 snapshots for \d+ transactions$/);
    expect(other.reasons).toEqual([]);
    expect(chain.tip.id).toEqual(last.id);
  });

  it("has transactions executed whose snapshots are too large, and no peer blacklisted for these", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    const share = Math.ceil(MOST_SNAPSHOT_BYTES / transactions.length);
    const isFirst = ({ id }: Block) => encodeBase58(id) === encodeBase58(first.id);
    const sizeOf = (block: Block) => (isFirst(block) ? share + 1 : share - 1);
    const peer = honest(theirs, { snapshotsOf: (block) => block.transactions.map(() => "x".repeat(sizeOf(block))) });
    await timers.pass(10_000);
    expect(chain.tip.id).toEqual(last.id);
    expect(chain.snapshots.flat().map((texts) => texts?.length)).toEqual([0, 0, 0, transactions.length]);
    expect(peer.reasons).toEqual([]);
  });

  it("requests snapshots that do not come from another peer", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    const silent = honest(theirs, { snapshotsOf: () => undefined });
    const other = honest(theirs);
    await timers.pass(30_000);
    expect(silent.got("getBlockSnapshot")).toEqual([first.id, last.id]);
    expect(other.got("getBlock")).not.toContainEqual(first.id);
    expect(other.got("getBlockSnapshot")).toContainEqual(first.id);
    expect(chain.tip.id).toEqual(last.id);
  });

  it("blacklists a peer that alone has the blocks and sends no snapshots", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    const silent = honest(theirs, { snapshotsOf: () => undefined });
    await timers.pass(5 * 60_000);
    expect(silent.reasons).toEqual([expect.stringContaining("Timeout loading")]);
    expect(chain.tip.id).toEqual(tip.id);
  });

  it("is refused with the snapshots of a peer, which is blacklisted, and is applied with those of another one", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    const liar = honest(theirs, { snapshotsOf: ({ transactions: of }) => of.map(() => "made up") });
    chain.verdict = () =>
      chain.snapshots.at(-1)?.flat().includes("made up") ? { ...refusedSnapshots, blockId: first.id } : undefined;
    await timers.pass(10_000);
    expect(liar.reasons).toEqual([expect.stringMatching(/^Error appending extension .*: no$/)]);
    const other = honest(theirs);
    await timers.pass(10_000);
    expect(chain.tip.id).toEqual(last.id);
    expect(other.reasons).toEqual([]);
  });

  it("does not blacklist the sender of the ids if another one has sent the snapshots", async () => {
    const { honest, chain, timers } = await testSync(ours, { isLight: true });
    const silent = honest(theirs, { snapshotsOf: () => undefined });
    const liar = honest(theirs, { snapshotsOf: ({ transactions: of }) => of.map(() => "made up") });
    chain.verdict = () =>
      chain.snapshots.at(-1)?.flat().includes("made up") ? { ...refusedSnapshots, blockId: first.id } : undefined;
    await timers.pass(20_000);
    expect(liar.reasons).toEqual([expect.stringMatching(/: no$/)]);
    expect(silent.reasons).toEqual([]);
  });
});

describe("a block that a peer sends by itself, in light mode", () => {
  it("waits for its snapshots, which are requested from its sender", async () => {
    const { peer: newPeer, chain, timers, sync } = await testSync(ours, { isLight: true });
    const source = newPeer();
    expect(sync.expectsSnapshots(source)).toBe(false);
    await source.emit({ kind: "block", value: first });
    await timers.pass(0);
    expect(source.got("getBlockSnapshot")).toEqual([first.id]);
    expect(sync.expectsSnapshots(source)).toBe(true);
    expect(chain.count("applyBlock")).toBe(0);
    const texts = transactions.map((_, index) => `${index}`);
    await source.emitSnapshots("blockSnapshot", first.id, texts);
    await timers.pass(0);
    expect(chain.tip.id).toEqual(first.id);
    expect(chain.snapshots).toEqual([[texts]]);
    expect(sync.expectsSnapshots(source)).toBe(false);
  });

  it("is applied at once if it has no transactions", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours, { isLight: true });
    const empty = testBlock({ reference: tip.id, height: 4, stateHash });
    const source = newPeer();
    await source.emit({ kind: "block", value: empty });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(empty.id);
    expect(source.got("getBlockSnapshot")).toEqual([]);
  });

  it("is requested from the next of its senders if the first one sends no snapshots, or wrong ones", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours, { isLight: true });
    const [silent, liar, honest] = [newPeer(), newPeer(), newPeer()];
    chain.verdict = () => (chain.snapshots.at(-1)?.flat().includes("made up") ? refusedSnapshots : undefined);
    for (const peer of [silent, liar, honest]) await peer.emit({ kind: "block", value: first });
    expect([silent, liar, honest].map((peer) => peer.got("getBlockSnapshot").length)).toEqual([1, 0, 0]);
    await timers.pass(10_000);
    await liar.emitSnapshots(
      "blockSnapshot",
      first.id,
      transactions.map(() => "made up"),
    );
    await timers.pass(0);
    expect(liar.reasons).toEqual([expect.stringMatching(/^Could not append block .*: no$/)]);
    await honest.emitSnapshots(
      "blockSnapshot",
      first.id,
      transactions.map(() => "right"),
    );
    await timers.pass(0);
    expect(chain.tip.id).toEqual(first.id);
    expect([silent.reasons, honest.reasons]).toEqual([[], []]);
  });

  it("is dropped if no peer has them, and may come again", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours, { isLight: true });
    const [silent, honest] = [newPeer(), newPeer()];
    await silent.emit({ kind: "block", value: first });
    await timers.pass(10_000);
    // Snapshots that come too late are ignored.
    await silent.emitSnapshots(
      "blockSnapshot",
      first.id,
      transactions.map(() => "late"),
    );
    expect(chain.count("applyBlock")).toBe(0);
    await honest.emit({ kind: "block", value: first });
    await timers.pass(0);
    await honest.emitSnapshots(
      "blockSnapshot",
      first.id,
      transactions.map(() => "right"),
    );
    await timers.pass(0);
    expect(chain.tip.id).toEqual(first.id);
  });

  it("is limited to one for each peer, and all to their share of memory", async () => {
    const { peer: newPeer, timers } = await testSync(ours, { isLight: true });
    const votes = Array.from({ length: 60_000 }, (_, index) => index % 32_768);
    const large = Array.from({ length: 80 }, (_, branch) =>
      testBlock({ reference: tip.id, height: 4, branch: branch + 1, featureVotes: votes, stateHash, transactions }),
    );
    const peers = large.map(() => newPeer());
    for (const [index, peer] of peers.entries()) {
      await peer.emit({ kind: "block", value: large[index] as Block });
      await peer.emit({ kind: "block", value: first });
    }
    await timers.pass(0);
    const requestCounts = peers.map((peer) => peer.got("getBlockSnapshot").length);
    expect(Math.max(...requestCounts)).toBe(1);
    const count = requestCounts.filter((each) => each === 1).length;
    const [one] = large.map((block) => encodeBlockRecord(encodeBlock(block, chainId)).length);
    expect(count).toBe(Math.floor(peerHubBytes.blocksWithoutSnapshots / (one as number)));
  });
});

describe("a micro-block in light mode", () => {
  const totalBlockId = new Uint8Array(32).fill(1) as Uint8Array as BlockId;
  const unsigned = {
    version: 5,
    reference: tip.id,
    totalBlockSignature: new Uint8Array(64) as Signature,
    sender: keys.publicKey,
    transactions,
    stateHash,
    finalizationVoting: undefined,
  };
  const signature = sign(keys.privateKey, microBlockSignedBytes(unsigned), random(64));
  const microBlock: MicroBlock = { ...unsigned, signature, totalBlockId };
  const inv = buildMicroBlockInv({ totalBlockId, reference: tip.id }, keys, random, chainId);
  const right = transactions.map(() => "right");

  it("is applied with the snapshots of its sender", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours, { isLight: true });
    const [source, other] = [newPeer(), newPeer()];
    await source.emit({ kind: "microBlockInv", value: inv });
    await source.emit({ kind: "microBlock", value: microBlock });
    expect(source.got("getMicroBlockSnapshot")).toEqual([totalBlockId]);
    expect(chain.count("applyMicroBlock")).toBe(0);
    await source.emitSnapshots("microBlockSnapshot", totalBlockId, right);
    await timers.pass(0);
    expect(chain.totalId).toEqual(totalBlockId);
    expect(chain.snapshots).toEqual([[right]]);
    expect(other.got("microBlockInv")).toEqual([inv]);
  });

  it("is requested from another owner after two seconds", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours, { isLight: true });
    const [source, owner, third] = [newPeer(), newPeer(), newPeer()];
    for (const peer of [source, owner, third]) await peer.emit({ kind: "microBlockInv", value: inv });
    await source.emit({ kind: "microBlock", value: microBlock });
    await timers.pass(1_999);
    expect([source, owner, third].map((peer) => peer.got("getMicroBlockSnapshot").length)).toEqual([1, 0, 0]);
    await timers.pass(1);
    expect([source, owner, third].map((peer) => peer.got("getMicroBlockSnapshot").length)).toEqual([1, 1, 0]);
    await owner.emitSnapshots("microBlockSnapshot", totalBlockId, right);
    await timers.pass(0);
    expect(chain.totalId).toEqual(totalBlockId);
  });

  it("is refused with wrong ones, whose sender is blacklisted, and not the sender of the micro-block", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours, { isLight: true });
    const [source, liar] = [newPeer(), newPeer()];
    chain.verdict = () => (chain.snapshots.at(-1)?.flat().includes("made up") ? refusedSnapshots : undefined);
    for (const peer of [source, liar]) await peer.emit({ kind: "microBlockInv", value: inv });
    await source.emit({ kind: "microBlock", value: microBlock });
    await timers.pass(2_000);
    await liar.emitSnapshots(
      "microBlockSnapshot",
      totalBlockId,
      transactions.map(() => "made up"),
    );
    await timers.pass(0);
    expect(liar.reasons).toEqual([expect.stringMatching(/^Could not append microblock .*: no$/)]);
    expect(source.reasons).toEqual([]);
    // It may be requested again.
    const third = newPeer();
    await third.emit({ kind: "microBlockInv", value: inv });
    await timers.pass(60_000);
    expect(chain.totalId).toBeUndefined();
  });

  it("without a state hash is executed", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours, { isLight: true });
    const source = newPeer();
    const early = { ...unsigned, stateHash: undefined };
    await source.emit({ kind: "microBlockInv", value: inv });
    const signed = sign(keys.privateKey, microBlockSignedBytes(early), random(64));
    await source.emit({ kind: "microBlock", value: { ...early, signature: signed, totalBlockId } });
    await timers.pass(0);
    expect(chain.totalId).toEqual(totalBlockId);
    expect(chain.snapshots).toEqual([undefined]);
  });
});
