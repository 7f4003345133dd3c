import { describe, expect, test } from "vitest";
import { Miner, type MinerOptions } from "../../../../durable/chain-state/miner/miner.ts";
import type { UtxPool } from "../../../../durable/chain-state/pool/utx-pool.ts";
import { secureRandomBytes } from "../../../../src/crypto/random.ts";
import { Feature } from "../../../../src/network/features.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import type { MinerSettings } from "../../../../src/network/settings.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import { SimulatedNode, type SimulationOptions } from "../../../../verification/simulation/simulated-node.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";

const startMs = 1_700_000_000_000;
const { node: privateNode } = privateNetwork;
const intervalMs = privateNode.miner.microBlockIntervalMs;

const withMiner = (miner: Partial<MinerSettings>) => ({ ...privateNode, miner: { ...privateNode.miner, ...miner } });

/** Node whose last key block is current: the blocks that make up for lost time are made. */
function nodeInTime(options: Partial<SimulationOptions> = {}): SimulatedNode {
  const node = new SimulatedNode({ startMs, ...options });
  node.advanceTo(startMs + 1);
  node.mineTo(node.chain.view.height + 1);
  return node;
}

let counter = 0;
function broadcast(node: SimulatedNode, transactions = 1): void {
  for (let count = 0; count < transactions; count++)
    node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs - counter++) }));
}

const tipTimestampMs = (node: SimulatedNode) =>
  Number(node.chain.view.findHeader(node.chain.view.height)?.header.timestamp);

test("the miner wakes at the earliest time at which its account may sign, and dates the block with it", () => {
  const node = nodeInTime();
  const next = node.miner.schedule().next;
  expect(next?.timestampMs).toBe(BigInt(tipTimestampMs(node)) + (next?.delayMs as bigint));
  const wakeMs = node.miner.nextWakeMs(node.nowMs) as number;
  expect(wakeMs).toBe(Number(next?.timestampMs));
  expect(node.miner.run(wakeMs - 1)).toEqual({ kind: "nothing" });
  node.nowMs = wakeMs;
  expect(node.miner.run(wakeMs).kind).toBe("keyBlock");
  expect(tipTimestampMs(node)).toBe(wakeMs);
});

test("a miner that wakes too late dates its block with its time, but not more than a minute back", () => {
  const node = nodeInTime();
  const dueMs = node.miner.nextWakeMs(node.nowMs) as number;
  node.nowMs = dueMs + 59_000;
  node.work();
  expect(tipTimestampMs(node)).toBe(dueMs);
  node.nowMs = (node.miner.nextWakeMs(node.nowMs) as number) + 3_600_000;
  node.work();
  expect(tipTimestampMs(node)).toBe(node.nowMs - 60_000);
});

test("transactions that wait at a key block go into a micro-block at once, the rest an interval later each", () => {
  const node = nodeInTime({ node: withMiner({ maxTransactionsInMicroBlock: 3 }) });
  const keyBlockMs = node.miner.nextWakeMs(node.nowMs) as number;
  node.nowMs = keyBlockMs - 10;
  broadcast(node, 8);
  node.advanceTo(keyBlockMs + 2 * intervalMs);
  expect(node.microBlocks.map(({ microBlock, atMs }) => [microBlock.transactions.length, atMs])).toEqual([
    [3, keyBlockMs],
    [3, keyBlockMs + intervalMs],
    [2, keyBlockMs + 2 * intervalMs],
  ]);
  expect(node.pool.size).toBe(0);
});

test("after the first transaction of an idle pool the miner waits a second for more", () => {
  const node = nodeInTime();
  node.nowMs += 200;
  const firstMs = node.nowMs;
  broadcast(node);
  node.nowMs += 900;
  broadcast(node);
  node.advanceTo(firstMs + 999);
  expect(node.microBlocks).toEqual([]);
  node.advanceTo(firstMs + 1_000);
  expect(node.microBlocks.map(({ microBlock, atMs }) => [microBlock.transactions.length, atMs])).toEqual([
    [2, firstMs + 1_000],
  ]);
  broadcast(node);
  expect(node.miner.nextWakeMs(node.nowMs)).toBe(firstMs + 1_000 + intervalMs);
});

test("it waits no longer than from one micro-block to the next, where these come often", () => {
  const node = nodeInTime({ node: withMiner({ microBlockIntervalMs: 100 }) });
  node.nowMs += 200;
  const firstMs = node.nowMs;
  broadcast(node);
  node.advanceTo(firstMs + 99);
  expect(node.microBlocks).toEqual([]);
  node.advanceTo(firstMs + 100);
  expect(node.microBlocks.map(({ atMs }) => atMs)).toEqual([firstMs + 100]);
});

test("it waits as long if the first ones come in a batch", async () => {
  const node = nodeInTime();
  node.nowMs += 200;
  const transfers = [0, 1, 2].map((number) => signedTransfer({ timestamp: BigInt(node.nowMs - number) }));
  await node.node.poolCalls.broadcastAll(transfers.map((each) => ({ signedTransaction: encodeProtobuf(each) })));
  expect(node.miner.nextWakeMs(node.nowMs)).toBe(node.nowMs + 1_000);
});

test("a miner that starts again goes on with micro-blocks of its block", () => {
  const node = nodeInTime();
  broadcast(node);
  node.advanceTo(node.nowMs + 1_000);
  const restarted = new Miner(depsOf(node));
  broadcast(node);
  expect(restarted.nextWakeMs(node.nowMs)).toBe(node.nowMs + intervalMs);
  node.nowMs += intervalMs;
  expect(restarted.run(node.nowMs).kind).toBe("microBlock");
});

/** Dependencies of a further miner on the node's chain and pool. */
function depsOf(node: SimulatedNode, deps: Partial<MinerOptions> = {}): MinerOptions {
  return {
    stored: node.chain.stored,
    liquid: node.chain.liquid,
    random: secureRandomBytes,
    pool: node.pool,
    accounts: () => node.wallet.accounts(),
    node: privateNode,
    connectedPeers: () => 0,
    clockMs: () => node.nowMs,
    append: (block) => node.append(block),
    appendMicroBlock: (microBlock, nowMs, opened) => node.chain.liquid.appendOwnMicroBlock(microBlock, opened, nowMs),
    unwritable: () => {},
    ...deps,
  };
}

test("a key block leaves out micro-blocks that are too young, and their transactions have priority afterwards", () => {
  const minMicroBlockAgeMs = 500;
  const node = nodeInTime({ node: withMiner({ minMicroBlockAgeMs, microBlockIntervalMs: 100 }) });
  const keyBlockMs = node.miner.nextWakeMs(node.nowMs) as number;
  node.nowMs = keyBlockMs - 1_600;
  broadcast(node);
  node.nowMs = keyBlockMs - 600;
  node.work();
  const oldEnough = node.chain.stored.tip().id;
  node.nowMs = keyBlockMs - 1_400;
  broadcast(node);
  node.nowMs = keyBlockMs - 400;
  node.work();
  expect(node.microBlocks).toHaveLength(2);
  const dropped = node.microBlocks[1]?.microBlock.transactions[0];
  node.nowMs = keyBlockMs;
  expect(node.work().kind).toBe("keyBlock");
  expect(node.keyBlocks.at(-1)?.header.reference).toEqual(oldEnough);
  expect([...node.pool.all()]).toEqual([dropped]);
  expect(node.work().kind).toBe("microBlock");
  expect(node.chain.view.findTransaction(dropped!.id)?.height).toBe(node.chain.view.height);
});

test("another node accepts every block and micro-block and ends in the same state", () => {
  const node = nodeInTime();
  const other = new SimulatedNode({ startMs });
  const blocks: (() => void)[] = [];
  const context = () => ({ nowMs: node.nowMs, verifySignatures: true });
  for (const block of node.keyBlocks) blocks.push(() => other.chain.forks.appendBlock(block, context()));
  for (let step = 0; step < 24; step++) {
    broadcast(node, 3);
    const made = node.step();
    if (made.kind === "keyBlock") blocks.push(() => other.chain.forks.appendBlock(made.block, context()));
    if (made.kind === "microBlock") blocks.push(() => other.chain.liquid.appendMicroBlock(made.microBlock, context()));
  }
  for (const append of blocks) append();
  expect(node.microBlocks.length).toBeGreaterThan(3);
  expect(other.chain.stored.tip()).toEqual(node.chain.stored.tip());
});

describe("a miner that wants a quorum of peers", () => {
  const quorumOf = (peers: () => number) =>
    new SimulatedNode({ startMs, node: withMiner({ quorum: 2 }), connectedPeers: peers });

  test("waits five seconds at a time without it", () => {
    const { miner } = quorumOf(() => 1);
    for (const nowMs of [startMs, startMs + 5_000, startMs + 9_000]) {
      expect(miner.nextWakeMs(nowMs)).toBe(nowMs + 5_000);
      expect(miner.run(nowMs)).toEqual({ kind: "nothing" });
    }
  });

  test("lets peers send their scores for five seconds once they are connected", () => {
    let peers = 1;
    const { miner } = quorumOf(() => peers);
    expect(miner.run(startMs)).toEqual({ kind: "nothing" });
    peers = 2;
    expect(miner.nextWakeMs(startMs + 100)).toBe(startMs + 5_000);
    expect(miner.run(startMs + 4_999)).toEqual({ kind: "nothing" });
    expect(miner.run(startMs + 5_000).kind).toBe("keyBlock");
  });

  test("lets them send first when it has just begun, too: the node may have been away, and they were not", () => {
    const { miner } = quorumOf(() => 2);
    expect(miner.nextWakeMs(startMs)).toBe(startMs + 5_000);
    expect(miner.run(startMs + 4_999)).toEqual({ kind: "nothing" });
    expect(miner.run(startMs + 5_000).kind).toBe("keyBlock");
  });

  test("begins another pause when it has lost them, or the clock was set back", () => {
    let peers = 2;
    const { miner } = quorumOf(() => peers);
    expect(miner.nextWakeMs(startMs)).toBe(startMs + 5_000);
    peers = 0;
    expect(miner.run(startMs + 5_000)).toEqual({ kind: "nothing" });
    peers = 2;
    expect(miner.nextWakeMs(startMs - 60_000)).toBe(startMs - 55_000);
    expect(miner.run(startMs).kind).toBe("keyBlock");
  });

  test("does not wait when single peers come and go, as long as there are enough others", () => {
    let peers = 3;
    const { miner } = quorumOf(() => peers);
    for (let second = 0; second < 5; second++) {
      peers = second % 2 === 0 ? 2 : 3;
      expect(miner.nextWakeMs(startMs + 1_000 * second)).toBe(startMs + 5_000);
    }
    peers = 2;
    expect(miner.run(startMs + 5_000).kind).toBe("keyBlock");
  });
});

test("after a tip that is too old the miner waits for others, unless the tip is the genesis block", () => {
  const dayMs = 86_400_000;
  const node = new SimulatedNode({
    startMs,
    node: withMiner({ intervalAfterLastBlockThenGenerationIsAllowedMs: dayMs }),
  });
  node.mineTo(2);
  const tipMs = tipTimestampMs(node);
  expect(node.miner.nextWakeMs(tipMs + dayMs)).toBeDefined();
  expect(node.miner.nextWakeMs(tipMs + dayMs + 1)).toBeUndefined();
});

test("a miner that is off, or whose accounts have too little, never wakes and reports why", () => {
  const off = new SimulatedNode({ startMs, node: withMiner({ enable: false }) });
  expect(off.miner.nextWakeMs(startMs)).toBeUndefined();
  const node = nodeInTime();
  const poor = node.wallet.create()!;
  const miner = new Miner(depsOf(node, { accounts: () => [poor] }));
  expect(miner.nextWakeMs(node.nowMs)).toBeUndefined();
  expect(miner.schedule().accounts).toEqual([
    { code: "generatingBalanceTooLow", address: poor.address, required: 100_000_000_000n, got: 0n },
  ]);
});

test("a miner makes no block whose version has no field for a state hash that it needs", () => {
  const { blockchain } = privateNetwork;
  const preActivatedFeatures = new Map(blockchain.functionality.preActivatedFeatures);
  preActivatedFeatures.delete(Feature.BlockV5);
  preActivatedFeatures.set(Feature.LightNode, 4);
  const functionality = { ...blockchain.functionality, preActivatedFeatures, lightNodeBlockFieldsAbsenceInterval: 1 };
  const node = new SimulatedNode({ startMs, blockchain: { ...blockchain, functionality } });
  node.mineTo(4);
  expect(node.miner.nextWakeMs(node.nowMs)).toBeUndefined();
  expect(node.miner.schedule().accounts).toEqual(
    node.wallet.accounts().map(({ address }) => ({ code: "noPlaceForStateHash", address })),
  );
});

test("an account joins when the wallet has made it", () => {
  const node = nodeInTime();
  expect(node.miner.schedule().accounts).toHaveLength(1);
  node.wallet.create();
  node.miner.accountsChanged();
  expect(node.miner.schedule().accounts).toHaveLength(2);
});

test("an account that was deleted generates no more, even in the current round", () => {
  const node = nodeInTime();
  node.mineTo(3);
  const [account] = node.wallet.accounts();
  node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs) }));
  node.wallet.delete(account!.address);
  node.miner.accountsChanged();
  expect(node.miner.schedule().accounts).toEqual([]);
  expect(node.miner.nextWakeMs(node.nowMs)).toBeUndefined();
  expect(node.miner.run(node.nowMs + 60_000).kind).toBe("nothing");
});

test.each([
  [1_500, 1_000],
  [100, 100],
  [0, 100],
])(
  "a block that cannot be appended is tried again a second later, or a shorter interval of %d ms",
  (interval, pauseMs) => {
    const settings = withMiner({ microBlockIntervalMs: interval });
    const node = nodeInTime({ node: settings });
    const failure = new Error("the disk is full");
    const miner = new Miner(
      depsOf(node, {
        node: settings,
        append: () => {
          throw failure;
        },
      }),
    );
    const dueMs = miner.nextWakeMs(node.nowMs) as number;
    expect(() => miner.run(dueMs)).toThrow(failure);
    expect(miner.nextWakeMs(dueMs)).toBe(dueMs + pauseMs);
  },
);

test("packing ends a second after it began; the rest comes with the next micro-block, in order", () => {
  const node = nodeInTime();
  broadcast(node, 8);
  const waiting = [...node.pool.ids()];
  let clockMs = 5;
  // Each read of the clock finds it 300 ms later: at the start, and before each transaction except the first.
  const miner = new Miner(depsOf(node, { clockMs: () => (clockMs += 300) }));
  node.nowMs = miner.nextWakeMs(node.nowMs) as number;
  const step = miner.run(node.nowMs);
  const packed = step.kind === "microBlock" ? step.microBlock.transactions.map(({ id }) => id) : [];
  expect(packed).toEqual(waiting.slice(0, 4));
  node.pool.removeAll(packed.map((id) => ({ id })));
  expect([...node.pool.ids()]).toEqual(waiting.slice(4));
});

test("a block that failed while the clock was ahead does not hold up the next ones", () => {
  const node = nodeInTime();
  let isBroken = true;
  const miner = new Miner(
    depsOf(node, {
      append: (block) => {
        if (isBroken) throw new Error("the disk is full");
        node.append(block);
      },
    }),
  );
  const dueMs = miner.nextWakeMs(node.nowMs) as number;
  expect(() => miner.run(dueMs + 3_600_000)).toThrow();
  isBroken = false;
  expect(miner.nextWakeMs(dueMs)).toBe(dueMs);
  node.nowMs = dueMs;
  expect(miner.run(dueMs).kind).toBe("keyBlock");
});

test("a full block gets no further micro-blocks; the next one does", () => {
  const node = nodeInTime();
  let isBlockFull = true;
  const pool = { size: 1, pack: () => ({ transactions: [], isBlockFull }) } as unknown as UtxPool;
  const miner = new Miner(depsOf(node, { pool }));
  expect(miner.nextWakeMs(node.nowMs)).toBe(node.nowMs);
  expect(miner.run(node.nowMs)).toEqual({ kind: "nothing" });
  const keyBlockMs = Number(miner.schedule().next?.timestampMs);
  expect(miner.nextWakeMs(node.nowMs)).toBe(keyBlockMs);
  node.nowMs = keyBlockMs;
  isBlockFull = false;
  expect(miner.run(keyBlockMs).kind).toBe("keyBlock");
  expect(miner.nextWakeMs(keyBlockMs)).toBe(keyBlockMs);
});
