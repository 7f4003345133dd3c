import { describe, expect, it } from "vitest";
import { ErrorLog } from "../../../../durable/peer-hub/error-log.ts";
import { ExtensionLoader } from "../../../../durable/peer-hub/sync/extension-loader.ts";
import { FrameCache } from "../../../../durable/peer-hub/sync/frame-cache.ts";
import { InvalidBlocks } from "../../../../durable/peer-hub/sync/invalid-blocks.ts";
import { KnownTip } from "../../../../durable/peer-hub/sync/known-tip.ts";
import { MicroBlockCache } from "../../../../durable/peer-hub/sync/micro-block-cache.ts";
import { ScoreObserver } from "../../../../durable/peer-hub/sync/score-observer.ts";
import { defaultSynchronizationSettings } from "../../../../src/network/peer-settings.ts";
import { peerHubBytes } from "../../../../src/platform/memory-budget.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { chainId, extended, genesis } from "../../../support/builders/test-block.ts";
import { FakeChain } from "../../../support/fakes/fake-chain.ts";
import { FakePeer } from "../../../support/fakes/fake-peer.ts";
import { FakeTimers } from "../../../support/fakes/fake-timers.ts";

const MEGABYTE = 2 ** 20;
/** Blocks of some 750 kB, made large by votes of five bytes each, which are the cheapest to make and to read. */
const large = extended([genesis], 34, 0, new Array<number>(150_000).fill(4_294_967_295));

/** Loader without a synchronization, whose peer has the chain `theirs`. */
async function loading(theirs: readonly Block[], ours: readonly Block[]) {
  const chain = new FakeChain(ours);
  const timers = new FakeTimers(chain.now.tipTimestampMs);
  const tip = new KnownTip();
  const settings = defaultSynchronizationSettings;
  let most = 0;
  const scores: ScoreObserver = new ScoreObserver({
    ttlMs: settings.scoreTtlMs,
    timers,
    changed: () => loader.bestChanged(),
  });
  const invalidBlocks = new InvalidBlocks(settings.invalidBlocksStorage, () => timers.nowMs());
  const loader = new ExtensionLoader({
    ...{ settings, chainId, isLight: false, chain, timers, scores, tip, invalidBlocks, namePrefix: "x-" },
    mayVerifyPossession: () => true,
    errorLog: new ErrorLog(() => timers.nowMs()),
  });
  tip.listen({ changed: ({ score }) => scores.changedOurs(score) });
  tip.update(chain.now);
  const peer = new FakePeer(
    {
      opened: () => {},
      received: (from, message) => {
        if (message.kind === "score") scores.received(from, message.value);
        if (message.kind === "blockIds") loader.receivedIds(from, message.value);
        if (message.kind === "block") loader.receivedBlock(from, message.value);
        most = Math.max(most, loader.bufferedBytes);
      },
      knowsBlock: () => false,
      acceptsHeader: async () => true,
      expectsSnapshots: () => false,
      closed: (closed) => loader.closed(closed),
    },
    { serves: new FakeChain(theirs) },
  );
  return { chain, timers, peer, loader, most: () => most };
}

describe("blocks that are downloaded", () => {
  it("take no more than 12 MB, however large they are and however busy the chain is", async () => {
    const { chain, timers, peer, loader, most } = await loading(large, [genesis]);
    const gate = Promise.withResolvers<void>();
    chain.gates.set("applyExtension", gate.promise);
    await timers.pass(1_000);
    expect(most()).toBeGreaterThan(10 * MEGABYTE);
    expect(most()).toBeLessThanOrEqual(12 * MEGABYTE);
    expect(chain.parts.length).toBe(1);
    gate.resolve();
    await timers.pass(0);
    expect(chain.tip.id).toEqual(large.at(-1)?.id);
    expect(most()).toBeLessThanOrEqual(12 * MEGABYTE);
    expect(loader.bufferedBytes).toBe(0);
    expect(peer.reasons).toEqual([]);
    // Blocks on the tip go in chunks of 2 MB and a block at most.
    expect(chain.parts.every(({ isLast }) => isLast)).toBe(true);
    expect(Math.max(...chain.parts.map(({ sizeBytes }) => sizeBytes))).toBeLessThan(3 * MEGABYTE);
  });

  it("that replace others go in one chunk, which can weigh more", async () => {
    const theirs = large.slice(0, 16);
    const ours = extended([genesis], 12, 1);
    const { chain, timers } = await loading(theirs, ours);
    await timers.pass(1_000);
    expect(chain.tip.id).toEqual(theirs.at(-1)?.id);
    expect(chain.parts.filter(({ isLast }) => isLast).length).toBe(1);
  });
});

describe("the cache for peers", () => {
  it("is bounded by count and bytes, and the oldest is evicted first", async () => {
    const cache = new FrameCache({ maxCount: 3, maxBytes: 100 });
    const make = (sizeBytes: number) => async () => new Uint8Array(sizeBytes);
    for (const id of [1, 2, 3]) await cache.get(Uint8Array.of(id), make(10));
    await cache.get(Uint8Array.of(1), make(99));
    await cache.get(Uint8Array.of(4), make(10));
    expect(cache.sizeBytes).toBe(30);
    // The second one's last request is the oldest.
    expect((await cache.get(Uint8Array.of(1), make(99)))?.length).toBe(10);
    await cache.get(Uint8Array.of(2), make(95));
    expect(cache.sizeBytes).toBe(95);
    await cache.get(Uint8Array.of(5), make(101));
    expect(cache.sizeBytes).toBe(0);
  });

  it("of micro-blocks is limited by number, and by its share of memory", () => {
    const cache = new MicroBlockCache(50);
    for (let number = 0; number < 60; number++) cache.add(Uint8Array.of(number), new Uint8Array(1_000));
    expect(cache.sizeBytes).toBe(50_000);
    expect(cache.find(Uint8Array.of(9))).toBeUndefined();
    expect(cache.find(Uint8Array.of(10))?.length).toBe(1_000);
    for (let number = 100; number < 110; number++) cache.add(Uint8Array.of(number), new Uint8Array(MEGABYTE));
    expect(cache.sizeBytes).toBe(peerHubBytes.microBlocks);
  });

  it("of invalid blocks drops entries by age, and above its maximum number", () => {
    let nowMs = 0;
    const invalid = new InvalidBlocks({ maxSize: 2, timeoutMs: 100 }, () => nowMs);
    for (const id of [1, 2, 3]) invalid.add(Uint8Array.of(id), `fault ${id}`);
    expect([1, 2, 3].map((id) => invalid.findReason(Uint8Array.of(id)))).toEqual([undefined, "fault 2", "fault 3"]);
    nowMs = 100;
    expect(invalid.findReason(Uint8Array.of(3))).toBeUndefined();
  });
});
