/** Synchronization of a node whose chain and peers are the test's. */
import { vi } from "vitest";
import { Synchronization } from "../../../durable/peer-hub/sync/synchronization.ts";
import { defaultSynchronizationSettings, type SynchronizationSettings } from "../../../src/network/peer-settings.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { FakeChain } from "../fakes/fake-chain.ts";
import { FakePeer, type FakePeerOptions } from "../fakes/fake-peer.ts";
import { FakeTimers } from "../fakes/fake-timers.ts";
import { chainId } from "./test-block.ts";

export interface TestSync {
  readonly sync: Synchronization;
  readonly chain: FakeChain;
  readonly timers: FakeTimers;
  /** Logged errors of this node. */
  readonly errors: string[];
  peer(options?: FakePeerOptions): FakePeer;
  /** Peer with this chain, which responds to requests. */
  honest(blocks: readonly Block[], options?: FakePeerOptions): FakePeer;
}

/** @param isBroken the chain does not return its tip */
export async function testSync(
  blocks?: readonly Block[],
  {
    isBroken = false,
    isLight = false,
    prepare,
    ...settings
  }: Partial<SynchronizationSettings> & {
    readonly isBroken?: boolean;
    readonly isLight?: boolean;
    /** Called before the node first calls the chain. */
    readonly prepare?: (chain: FakeChain) => void;
  } = {},
): Promise<TestSync> {
  const chain = new FakeChain(blocks);
  if (isBroken) chain.broken.add("chainTip");
  prepare?.(chain);
  const timers = new FakeTimers(chain.now.tipTimestampMs);
  const faults: string[] = [];
  vi.spyOn(console, "error").mockImplementation((text: string) => void faults.push(text));
  const sync = new Synchronization({
    settings: { ...defaultSynchronizationSettings, ...settings },
    chainId,
    isLight,
    timers,
    random: (sizeBytes) => new Uint8Array(sizeBytes),
    chain,
  });
  sync.start();
  await timers.pass(0);
  return {
    sync,
    chain,
    timers,
    errors: faults,
    peer: (options) => new FakePeer(sync, options),
    honest: (theirs, options) => new FakePeer(sync, { serves: new FakeChain(theirs), ...options }),
  };
}
