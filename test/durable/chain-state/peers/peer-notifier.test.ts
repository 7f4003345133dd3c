/** Notifications to peers, and effects of peers' messages on the node. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { Block } from "../../../../src/protocol/blocks/block.ts";
import { encodeBlock } from "../../../../src/protocol/blocks/parse-block.ts";
import { encodeMicroBlock } from "../../../../src/protocol/messages/micro-block.ts";
import {
  hasValidMicroBlockInvSignature,
  parseMicroBlockInv,
} from "../../../../src/protocol/messages/micro-block-inv.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import type { ChainEvents } from "../../../../src/rpc/chain-for-peers.ts";
import { type Follower, follower, listener, receivedBlocks } from "../../../support/builders/follower.ts";
import { blockAt, extend, nodeNamed, startMs } from "../../../support/builders/forked-nodes.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";

const { node: settings } = privateNetwork;
const { chainId } = privateNetwork.blockchain;
const submissions = [1n, 2n, 3n, 4n].map((amount) => ({
  signedTransaction: encodeProtobuf(signedTransfer({ timestamp: BigInt(startMs), amount })),
}));
const bytesOf = (from: number, to: number) =>
  submissions.slice(from, to).map(({ signedTransaction }) => signedTransaction);

describe("peers are notified", () => {
  let events: ChainEvents[];
  let own: Follower;

  beforeEach(() => {
    const peers = listener();
    ({ notifications: events } = peers);
    own = follower({ startMs, peers });
  });

  const tip = () => own.node.node.chainTip();

  test("of each key block that the node makes", () => {
    own.node.mineTo(3);
    expect(events).toHaveLength(2);
    expect(events[1]).toEqual({ block: encodeBlock(blockAt(own.node, 3), chainId), tip: tip() });
  });

  test("of each micro-block, announced with the signature of its generator", () => {
    own.node.mineTo(2);
    const [microBlock] = extend(own.node, [signedTransfer({ timestamp: BigInt(startMs) })]);
    const event = events.at(-1) as ChainEvents;
    expect(event.tip).toEqual(tip());
    expect(event.microBlock?.totalId).toEqual(tip().tipId);
    expect(event.microBlock?.microBlock).toEqual(microBlock && encodeMicroBlock(microBlock));
    const inv = parseMicroBlockInv(event.microBlock?.inv as Uint8Array);
    expect(inv).toMatchObject({ totalBlockId: microBlock?.totalBlockId, reference: microBlock?.reference });
    expect(hasValidMicroBlockInvSignature(inv, chainId)).toBe(true);
  });

  test("of transactions from clients, each time, and not of those from peers", async () => {
    const { poolCalls } = own.node.node;
    await poolCalls.broadcastAll(submissions.slice(0, 2));
    await poolCalls.broadcastAll(submissions.slice(1, 3));
    const results = await own.calls.submitTransactions(submissions.slice(3));
    expect(results).toEqual([{ accepted: true, isNew: true }]);
    expect(own.node.pool.size).toBe(4);
    expect(events.map(({ transactions }) => transactions)).toEqual([bytesOf(0, 2), bytesOf(1, 3)]);
  });

  test("and scripts run to their end for clients only", async () => {
    const addAll = vi.spyOn(own.node.pool, "addAll");
    await own.node.node.poolCalls.broadcastAll(submissions.slice(0, 1));
    await own.calls.submitTransactions(submissions.slice(1, 2));
    const executions = addAll.mock.calls.flatMap(([submitted]) => submitted.map(({ execution }) => execution));
    expect(executions).toEqual([undefined, "limited"]);
  });

  test("of the chain's tip after its owner has rolled it back, and after an import", async () => {
    own.node.mineTo(4);
    const { blocks } = receivedBlocks([4].map((height) => encodeBlock(blockAt(own.node, height), chainId)));
    events.length = 0;
    await own.node.node.revert(3);
    expect(events).toEqual([{ tip: tip() }]);
    await own.node.node.importBlocks(blocks);
    expect(events.slice(1)).toEqual([{ tip: tip() }]);
    expect(tip().height).toBe(4);
  });

  test("of nothing that they have sent themselves", async () => {
    const other = nodeNamed("other");
    other.mineTo(3);
    own.node.nowMs = other.nowMs;
    const block = (height: number) => encodeBlock(blockAt(other, height), chainId);
    expect(await own.calls.applyBlock(receivedBlocks([block(2)]))).toMatchObject({ kind: "applied" });
    const extension = { ...receivedBlocks([block(3)]), name: "x", isLast: true };
    expect(await own.calls.applyExtension(extension)).toMatchObject({ kind: "applied" });
    expect(events).toEqual([]);
  });
});

test("the chain goes on if notifying peers fails", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const failures = [
    () => Promise.reject(new Error("away")),
    () => {
      throw new Error("broken");
    },
  ];
  for (const notify of failures) {
    const own = follower({ startMs, peers: { onChainEvents: notify } });
    own.node.mineTo(3);
    expect(own.node.height).toBe(3);
  }
  await expect.poll(() => logged).toHaveBeenCalledTimes(4);
  logged.mockRestore();
});

describe("the miner", () => {
  const wantsOne = { ...settings, miner: { ...settings.miner, quorum: 1 }, minimumPeers: 1 };

  test("waits for its quorum of connections, and again after two minutes without a report of any", async () => {
    const wakeAt = vi.fn(async () => {});
    const own = follower({ startMs, node: wantsOne, wakeAt });
    own.node.nowMs += 60_000;
    expect(own.node.work().kind).toBe("nothing");
    wakeAt.mockClear();
    await own.calls.connected(1);
    expect(wakeAt).toHaveBeenCalledTimes(1);
    // Peers may send their scores first.
    expect(own.node.miner.nextWakeMs(own.node.nowMs)).toBe(own.node.nowMs + 5_000);
    own.node.nowMs += 5_000;
    expect(own.node.work().kind).toBe("keyBlock");
    own.node.nowMs += 114_999;
    expect(own.node.work().kind).toBe("keyBlock");
    own.node.nowMs += 60_000;
    expect(own.node.work().kind).toBe("nothing");
  });

  test("makes no block on an outdated tip at the moment when it gets connections", async () => {
    const own = follower({ startMs, node: wantsOne });
    own.node.nowMs += 600_000;
    await own.calls.connected(1);
    expect(own.node.work().kind).toBe("nothing");
    own.node.nowMs += 5_000;
    expect(own.node.work().kind).toBe("keyBlock");
  });

  test("and the pool accepts no transaction before", async () => {
    const own = follower({ startMs, node: wantsOne });
    const refused = { accepted: false, violation: { code: "tooFewPeers", connected: 0, minimum: 1 } };
    expect(await own.node.node.poolCalls.broadcastAll(submissions.slice(0, 1))).toEqual([refused]);
    await own.calls.connected(1);
    expect(await own.node.node.poolCalls.broadcastAll(submissions.slice(0, 1))).toEqual([
      { accepted: true, isNew: true },
    ]);
  });

  test("calculates its delay on the new tip, and requests a wake for it, once peers have changed the chain", async () => {
    const wakes: number[] = [];
    const other = nodeNamed("other");
    other.mineTo(2);
    const microBlocks = extend(other, [signedTransfer({ timestamp: BigInt(startMs) })]);
    other.mineTo(4);
    const own = follower({ startMs: other.nowMs, wakeAt: async (timeMs) => void wakes.push(timeMs) });
    own.node.node.mine(true);
    const timestamps: number[] = [];
    const expectTurn = async (change: () => Promise<unknown>): Promise<void> => {
      // The wake before is no longer needed.
      own.node.nowMs += 1;
      wakes.length = 0;
      expect(await change()).toMatchObject({ kind: "applied" });
      expect(wakes).not.toEqual([]);
      timestamps.push(Number(own.node.miner.schedule().next?.timestampMs));
    };
    await expectTurn(() => own.calls.applyBlock(receivedBlocks([encodeBlock(other.keyBlocks[0] as Block, chainId)])));
    for (const microBlock of microBlocks)
      await expectTurn(() => own.calls.applyMicroBlock(encodeMicroBlock(microBlock)));
    const blocks = [3, 4].map((height) => encodeBlock(blockAt(other, height), chainId));
    await expectTurn(() => own.calls.applyExtension({ ...receivedBlocks(blocks), name: "x", isLast: true }));
    expect(new Set(timestamps).size).toBeGreaterThan(1);
    own.node.advanceTo(Math.max(...timestamps) + 120_000);
    expect(own.node.height).toBeGreaterThan(4);
  });
});
