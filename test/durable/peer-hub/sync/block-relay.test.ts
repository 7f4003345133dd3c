import { describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { Signature } from "../../../../src/crypto/identities.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { transfersFor } from "../../../support/builders/own-blocks.ts";
import { chainId, extended, genesis, testBlock } from "../../../support/builders/test-block.ts";
import { testSync } from "../../../support/builders/test-sync.ts";

const ours = extended([genesis], 2);
const next = extended(ours, 1).at(-1) as Block;

describe("a block that a peer sends by itself", () => {
  it("is applied and relayed at once, to all except its senders", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, second, other] = [newPeer(), newPeer(), newPeer()];
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyBlock", gate.promise);
    void source.emit({ kind: "block", value: next });
    void second.emit({ kind: "block", value: next });
    gate.resolve();
    // Neither happens by a timer.
    await timers.pass(0);
    expect(chain.tip.id).toEqual(next.id);
    expect(chain.count("applyBlock")).toBe(1);
    expect(other.got("block").map(({ id }) => id)).toEqual([next.id]);
    expect([...source.got("block"), ...second.got("block")]).toEqual([]);
  });

  it("makes our score greater, and all peers get it within a second", async () => {
    const { peer: newPeer, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    expect(other.got("score")).toEqual([300n]);
    await source.emit({ kind: "block", value: next });
    await timers.pass(1_000);
    expect(source.got("score")).toEqual([300n, 400n]);
    expect(other.got("score")).toEqual([300n, 400n]);
  });

  it("is validated in several calls if needed, and other calls come between them", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other, third] = [newPeer(), newPeer(), newPeer()];
    const second = testBlock({ reference: next.header.reference, height: 4, branch: 1 });
    const validated: string[] = [];
    chain.verdict = (_, [block]) => {
      const name = block === undefined ? "none" : encodeBase58(block.id) === encodeBase58(next.id) ? "long" : "short";
      validated.push(name);
      return name === "long" && validated.length < 6 ? "unfinished" : undefined;
    };
    void source.emit({ kind: "block", value: next });
    void other.emit({ kind: "block", value: second });
    await timers.pass(0);
    expect(validated.filter((name) => name === "long")).toHaveLength(5);
    expect(validated.indexOf("short")).toBeLessThan(validated.lastIndexOf("long"));
    expect(third.got("block").length).toBeGreaterThan(0);
  });

  it("is sent to the chain once for a while", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const source = newPeer();
    await source.emit({ kind: "block", value: next });
    await newPeer().emit({ kind: "block", value: next });
    expect(chain.count("applyBlock")).toBe(1);
    await timers.pass(3 * 60_000);
    await newPeer().emit({ kind: "block", value: next });
    expect(chain.count("applyBlock")).toBe(2);
  });

  it("stays known for a while, except to a peer that it was requested from", async () => {
    const { peer: newPeer, chain, timers, sync } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    expect(sync.knowsBlock(source, next.id)).toBe(false);
    await source.emit({ kind: "block", value: next });
    await timers.pass(0);
    expect(sync.knowsBlock(source, next.id)).toBe(true);
    // Its owner rolls the chain back, and another peer still has the block.
    chain.blocks = [...ours];
    sync.onChainEvents({ tip: chain.now });
    await other.announceHeight(4);
    await timers.pass(1_000);
    await other.emit({ kind: "blockIds", value: [...ours, next].map(({ id }) => id) });
    expect([sync.knowsBlock(source, next.id), sync.knowsBlock(other, next.id)]).toEqual([true, false]);
    await other.emit({ kind: "block", value: next });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(next.id);
  });

  it("is not relayed if it is not the tip, or has transactions", async () => {
    const transactions = transfersFor(5);
    const whole = testBlock({ reference: (ours.at(-1) as Block).id, height: 4, transactions });
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    await source.emit({ kind: "block", value: whole });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(whole.id);
    // The signatures of its transactions were verified on the way.
    expect(chain.verified).toEqual([Buffer.of(2 ** (1 + transactions.length) - 1).toString("hex")]);
    expect(other.got("block")).toEqual([]);
    const competitor = extended(ours, 1, 1).at(-1) as Block;
    chain.verdict = () => ({ kind: "applied", tip: chain.now });
    await source.emit({ kind: "block", value: competitor });
    await timers.pass(0);
    expect(other.got("block")).toEqual([]);
  });

  it("that does not fit at the moment harms no peer, and is validated again", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const source = newPeer();
    const later = extended(ours, 2).at(-1) as Block;
    await source.emit({ kind: "block", value: later });
    await source.emit({ kind: "block", value: next });
    await timers.pass(0);
    await source.emit({ kind: "block", value: later });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(later.id);
    expect(source.isClosed).toBe(false);
  });

  it("with a wrong signature gets its sender blacklisted, and does not reach the chain", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const source = newPeer();
    await source.emit({ kind: "block", value: { ...next, signature: new Uint8Array(64) as Signature } });
    const id = encodeBase58(next.id);
    expect(source.reasons).toEqual([`Could not append block ${id}: Block ${id} has invalid signature`]);
    expect(chain.count("applyBlock")).toBe(0);
    await newPeer().emit({ kind: "block", value: next });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(next.id);
  });

  it("whose transactions do not match its id gets its sender blacklisted", async () => {
    const { peer: newPeer, chain } = await testSync(ours);
    const source = newPeer();
    await source.emit({ kind: "block", value: { ...next, transactions: transfersFor(5) } });
    expect(source.reasons[0]).toMatch(/^Could not append block \S+: Block \S+ is invalid: Transactions root is /);
    expect(chain.count("applyBlock")).toBe(0);
  });

  it("that breaks a rule permanently gets all its senders blacklisted", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const [source, other] = [newPeer(), newPeer()];
    chain.verdict = () => ({ kind: "refused", reason: "its state hash is wrong", isInvalid: true, blockId: next.id });
    await source.emit({ kind: "block", value: next });
    await timers.pass(0);
    await other.emit({ kind: "block", value: next });
    const reason = `Could not append block ${encodeBase58(next.id)}: its state hash is wrong`;
    expect([source.reasons, other.reasons]).toEqual([[reason], [reason]]);
    expect(chain.count("applyBlock")).toBe(1);
  });

  it("is read no further than the next one while the chain validates", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const source = newPeer();
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyBlock", gate.promise);
    const branches = [1, 2, 3].map((branch) => extended(ours, 1, branch).at(-1) as Block);
    const read: number[] = [];
    for (const [index, value] of branches.entries())
      void source.emit({ kind: "block", value }).then(() => read.push(index));
    await timers.pass(0);
    expect(read).toEqual([0]);
    gate.resolve();
    await timers.pass(0);
    expect(read).toEqual([0, 1, 2]);
  });

  it("is one of a flood of useless blocks: the peer is suspended", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const source = newPeer();
    chain.verdict = () => ({ kind: "refused", reason: "it does not fit", isInvalid: false });
    for (let branch = 1; branch <= 301; branch++)
      await source.emit({ kind: "block", value: extended(ours, 1, branch).at(-1) as Block });
    await timers.pass(0);
    expect(source.suspensions).toBe(1);
    expect(source.reasons).toEqual([]);
    // Messages of its host on another connection are ignored until a minute is over.
    const callsBefore = chain.calls.length;
    const again = newPeer({ host: source });
    await again.emit({ kind: "block", value: extended(ours, 1, 302).at(-1) as Block });
    expect([again.suspensions, chain.calls.filter((call) => call === "applyBlock").length]).toEqual([1, 301]);
    await timers.pass(60_000);
    const later = newPeer({ host: source });
    await later.emit({ kind: "block", value: extended(ours, 1, 303).at(-1) as Block });
    expect(later.suspensions).toBe(0);
    expect(chain.calls.length).toBeGreaterThan(callsBefore);
  });

  it("is one of a few large useless blocks: they count by the work of their validation", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const source = newPeer();
    chain.verdict = () => ({ kind: "refused", reason: "it does not fit", isInvalid: false });
    const votes = new Array<number>(250_000).fill(4_294_967_295);
    for (let branch = 1; branch <= 10; branch++)
      await source.emit({ kind: "block", value: extended(ours, 1, branch, votes).at(-1) as Block });
    await timers.pass(0);
    expect(source.suspensions).toBe(1);
    expect(chain.calls.filter((call) => call === "applyBlock").length).toBe(7);
  });

  it("is read where its head fits, and where the chain is not to be reached", async () => {
    const { peer: newPeer, sync, chain, errors } = await testSync(ours);
    const source = newPeer();
    expect(await sync.acceptsHeader(source, next)).toBe(true);
    chain.broken.add("findHeaderError");
    expect([await sync.acceptsHeader(source, next), errors.length]).toEqual([true, 1]);
  });

  it("is not read where its head does not fit: a flood of them gets the peer suspended", async () => {
    const { peer: newPeer, sync, chain } = await testSync(ours);
    const source = newPeer();
    for (let branch = 1; branch <= 301; branch++) {
      const unfit = extended(extended(ours, 1, branch), 1, branch).at(-1) as Block;
      expect(await sync.acceptsHeader(source, unfit)).toBe(false);
    }
    expect([source.suspensions, source.reasons, chain.count("findHeaderError")]).toEqual([1, [], 301]);
    const again = newPeer({ host: source });
    expect([await sync.acceptsHeader(again, next), again.suspensions]).toEqual([false, 1]);
    expect(chain.count("findHeaderError")).toBe(301);
  });

  it("is not read where its generator has not signed the head, or it was invalid before: both get blacklisted", async () => {
    const { peer: newPeer, sync, chain, timers } = await testSync(ours);
    const [first, second, third] = [newPeer(), newPeer(), newPeer()];
    const unsigned = { ...next, signature: new Uint8Array(64) as Signature };
    expect(await sync.acceptsHeader(first, unsigned)).toBe(false);
    chain.verdict = () => ({ kind: "refused", reason: "it is wrong", isInvalid: true, blockId: next.id });
    await second.emit({ kind: "block", value: next });
    await timers.pass(0);
    expect(await sync.acceptsHeader(third, next)).toBe(false);
    expect([first, second, third].map(({ reasons }) => reasons.length)).toEqual([1, 1, 1]);
    expect(chain.count("findHeaderError")).toBe(0);
  });

  it("is not read again while the chain judges it, and all who have sent it answer for it", async () => {
    const { peer: newPeer, sync, chain, timers } = await testSync(ours);
    const [first, second] = [newPeer(), newPeer()];
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyBlock", gate.promise);
    chain.verdict = () => ({ kind: "refused", reason: "it is wrong", isInvalid: true });
    void first.emit({ kind: "block", value: next });
    expect(await sync.acceptsHeader(second, next)).toBe(false);
    gate.resolve();
    await timers.pass(0);
    expect([first, second].map(({ reasons }) => reasons.length)).toEqual([1, 1]);
  });

  it("counts by its endorsers' signatures, too, if it is useless", async () => {
    const { peer: newPeer, chain, timers } = await testSync(ours);
    const source = newPeer();
    chain.verdict = () => ({ kind: "refused", reason: "its voting does not hold", isInvalid: false });
    const { id: reference } = ours.at(-1) as Block;
    const finalizationVoting = {
      endorserIndexes: [1],
      finalizedHeight: 1,
      aggregatedEndorsementSignature: new Uint8Array(96),
      conflictEndorsements: [],
    };
    for (let branch = 1; branch <= 100; branch++)
      await source.emit({
        kind: "block",
        value: testBlock({ reference, height: ours.length + 1, branch, finalizationVoting }),
      });
    await timers.pass(0);
    expect(source.suspensions).toBe(1);
    // Each as four.
    expect(chain.calls.filter((call) => call === "applyBlock").length).toBe(76);
  });

  it("harms no peer when the chain is unreachable", async () => {
    const { peer: newPeer, chain, errors, timers } = await testSync(ours);
    const source = newPeer();
    chain.broken.add("applyBlock");
    await source.emit({ kind: "block", value: next });
    await timers.pass(0);
    expect(source.isClosed).toBe(false);
    expect(errors.length).toBe(1);
    chain.broken.clear();
    await source.emit({ kind: "block", value: next });
    await timers.pass(0);
    expect(chain.tip.id).toEqual(next.id);
  });
});

describe("a block of this node", () => {
  it("is sent to all peers", async () => {
    const { sync, peer: newPeer, chain } = await testSync(ours);
    const peers = [newPeer(), newPeer()];
    sync.onChainEvents({ tip: chain.now, block: encodeBlock(next, chainId) });
    for (const peer of peers) expect(peer.got("block").map(({ id }) => id)).toEqual([next.id]);
  });
});
