/** `/debug/validate` reads the read model: ChainState runs nothing for it. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { NodeRpc, PoolRpc } from "../../../src/env.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { MAX_AGE_MS } from "../../../src/read-model/latest-state.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { poorKey, richKey, signedTransfer, walletKey } from "../../support/builders/signed-transfer.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";

const { chainId } = privateNetwork.blockchain;
const startMs = Number(privateNetwork.blockchain.genesis.blockTimestampMs);

const unavailable = async (): Promise<never> => {
  throw new Error("ChainState was asked");
};
const silentPool: PoolRpc = {
  broadcastAll: unavailable,
  unconfirmedIds: unavailable,
  someUnconfirmed: unavailable,
  unconfirmedCount: unavailable,
  findUnconfirmed: unavailable,
  areUnconfirmed: unavailable,
  priorityTransactions: () => chain.node.poolCalls.priorityTransactions(),
};
const silentNode: NodeRpc = { wake: unavailable, status: unavailable, orderFills: unavailable };

let chain: SimulatedNode;
let worker: TestNode;
let batches = 0;
let afterBatch = (): void => {};

beforeEach(async () => {
  const { d1 } = d1Double();
  const counted = {
    ...d1,
    batch: async (statements: D1PreparedStatement[]) => {
      batches++;
      const answers = await d1.batch(statements);
      afterBatch();
      return answers;
    },
  } as D1Database;
  chain = new SimulatedNode({ startMs, readModel: d1Sink(d1) });
  chain.mineTo(3);
  await chain.node.drain();
  // Without copies, so that the number of queries is fixed.
  const variables = { WAITS_FOR_RUNNER: "yes" };
  worker = testNode({ database: counted, network: "private", chainState: silentPool, node: silentNode, variables });
  vi.useFakeTimers({ toFake: ["Date"], now: chain.nowMs });
  onTestFinished(() => {
    vi.useRealTimers();
    afterBatch = () => {};
  });
});

async function validated(transaction: Transaction) {
  batches = 0;
  const response = await worker.fetch("/debug/validate", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: jsonText(transactionJson(transaction)),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

describe("a transaction that is validated", () => {
  test("is judged on what is published, and ChainState runs nothing", async () => {
    const { json } = await validated(signedTransfer({ timestamp: BigInt(chain.nowMs) }));
    expect(json).toMatchObject({ valid: true, height: 3, trace: [], applicationStatus: "succeeded" });
    const poor = await validated(signedTransfer({ timestamp: BigInt(chain.nowMs), key: walletKey(7) }));
    expect(poor.json).toMatchObject({ valid: false, height: 3 });
    expect(poor.json["error"]).toContain("negative waves balance");
  });

  test("finds what a published micro-block did, and not what waits in the pool", async () => {
    const paid = signedTransfer({ timestamp: BigInt(chain.nowMs), amount: 1_000_000n });
    const spent = signedTransfer({ timestamp: BigInt(chain.nowMs), key: poorKey, to: richKey });
    chain.broadcast(paid);
    expect((await validated(paid)).json["valid"]).toBe(true);
    expect((await validated(spent)).json["valid"]).toBe(false);
    chain.advanceTo(chain.nowMs + 2_000);
    expect(chain.microBlocks).toHaveLength(1);
    await chain.node.drain();
    vi.setSystemTime(chain.nowMs);
    expect((await validated(spent)).json["valid"]).toBe(true);
    const again = await validated(paid);
    expect(again.json["error"]).toContain(`${encodeBase58(paid.id)} is already in the state`);
  });

  test("finds what goes first in the pool behind a key block, once that is published", async () => {
    const other = new SimulatedNode({ startMs: chain.nowMs });
    for (const block of chain.keyBlocks) other.append(block);
    const paid = signedTransfer({ timestamp: BigInt(chain.nowMs), amount: 1_000_000n });
    const spent = signedTransfer({ timestamp: BigInt(chain.nowMs), key: poorKey, to: richKey });
    chain.broadcast(paid);
    while (chain.pool.size > 0) chain.step();
    other.mineTo(4);
    chain.nowMs = Math.max(chain.nowMs, other.nowMs);
    vi.setSystemTime(chain.nowMs);
    await chain.node.drain();
    chain.node.append(other.keyBlocks.at(-1)!);
    expect([chain.height, [...chain.pool.ids()]]).toEqual([4, [paid.id]]);
    expect((await validated(spent)).json).toMatchObject({ valid: true, height: 3 });
    await chain.node.drain();
    vi.setSystemTime(chain.nowMs + MAX_AGE_MS);
    expect((await validated(spent)).json).toMatchObject({ valid: true, height: 4 });
    expect((await validated(paid)).json["error"]).toContain("is already in the state");
    chain.pool.removeAll([paid]);
    expect((await validated(spent)).json).toMatchObject({ valid: false, height: 4 });
  });

  test("may name many aliases: they are looked for together", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `somebody-${index}`);
    const common = { version: 2, chainId, sender: richKey.publicKey, feeAsset: null, proofs: [] } as const;
    for (const [index, name] of names.entries()) {
      const timestamp = BigInt(chain.nowMs + index);
      const alias = { chainId, name };
      const unsigned = { ...common, type: TransactionType.CreateAlias, timestamp, fee: 100_000n, alias } as const;
      chain.broadcast(signedBy(richKey, buildTransaction(unsigned)));
    }
    chain.advanceTo(chain.nowMs + 2_000);
    await chain.node.drain();
    vi.setSystemTime(chain.nowMs);
    const unsigned = buildTransaction({
      ...common,
      type: TransactionType.MassTransfer,
      timestamp: BigInt(chain.nowMs),
      fee: 1_100_000n,
      asset: null,
      attachment: new Uint8Array(),
      transfers: names.map((name) => ({ recipient: { kind: "alias", alias: { chainId, name } }, amount: 1n })),
    });
    const { json } = await validated(signedBy(richKey, unsigned));
    expect(json).toMatchObject({ valid: true });
    expect(batches).toBeLessThan(12);
  });

  test("is given up when its rows do not come in time", async () => {
    afterBatch = () => vi.setSystemTime(Date.now() + 11_000);
    const { status, json } = await validated(signedTransfer({ timestamp: BigInt(chain.nowMs) }));
    expect(status).toBe(503);
    expect(json["error"]).toBe(5031);
  });
});
