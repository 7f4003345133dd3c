/** Owner's status calls and controls of a node, on simulated nodes. */
import { describe, expect, test } from "vitest";
import { OwnerCalls } from "../../../durable/chain-state/owner-calls.ts";
import type { WalletAccount } from "../../../durable/chain-state/wallet/wallet.ts";
import { addressText } from "../../../src/crypto/address.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { NodeSettings } from "../../../src/network/settings.ts";
import { maxForkDepth } from "../../../src/rules/finality/finalized-height.ts";
import { SimulatedNode, type SimulationOptions } from "../../../verification/simulation/simulated-node.ts";
import { richKey, signedTransfer } from "../../support/builders/signed-transfer.ts";
import { UnreliableReadModel } from "../../support/fakes/unreliable-read-model.ts";

const startMs = 1_700_000_000_000;
const master = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";

function owned(node: NodeSettings = privateNetwork.node, options: Partial<SimulationOptions> = {}) {
  const simulated = new SimulatedNode({ startMs, node, ...options });
  const owner = new OwnerCalls({
    node: simulated.node,
    miner: node.miner,
    nowMs: () => simulated.nowMs,
    stop: async () => {
      simulated.node.stop();
      return "untilStart";
    },
  });
  return { simulated, owner };
}

function broadcast(simulated: SimulatedNode) {
  const transfer = signedTransfer({ timestamp: BigInt(simulated.nowMs) });
  simulated.broadcast(transfer);
  return transfer;
}

describe("the mining status", () => {
  const minerState = async ({ owner }: ReturnType<typeof owned>) => (await owner.activity()).minerState;

  test("has height and weight of the chain", async () => {
    const { simulated, owner } = owned();
    simulated.mineTo(4);
    expect(await owner.activity()).toMatchObject({ height: 4, score: simulated.chain.forks.score() });
  });

  test("is mining, on a block of its own as well: the reference never reports mining of micro-blocks", async () => {
    const mining = owned();
    expect(await minerState(mining)).toBe("mining blocks");
    mining.simulated.mineTo(3);
    expect(await minerState(mining)).toBe("mining blocks");
  });

  test("is off by the settings, or by the owner", async () => {
    const { node } = privateNetwork;
    const disabled = { ...node, miner: { ...node.miner, enable: false } };
    expect(await minerState(owned(disabled))).toBe("disabled");
    const stopped = owned();
    await stopped.owner.stop();
    expect(await minerState(stopped)).toBe("disabled");
    expect(await stopped.simulated.node.status()).toMatchObject({ isStopped: true });
    expect(stopped.simulated.node.step()).toEqual({ kind: "nothing" });
    stopped.simulated.node.mine(true);
    expect(await minerState(stopped)).toBe("mining blocks");
    expect(await stopped.simulated.node.status()).toMatchObject({ isStopped: false });
  });

  test("is an error if no account can forge, or the chain is too old", async () => {
    const without = owned();
    without.simulated.wallet.delete(without.simulated.wallet.accounts()[0]?.address as Address);
    without.simulated.miner.accountsChanged();
    expect(await minerState(without)).toBe("error: the wallet has no accounts");
    const poor = without.simulated.wallet.create() as WalletAccount;
    without.simulated.miner.accountsChanged();
    expect(await minerState(without)).toBe(
      `error: Balance 0 of ${addressText(poor.address)} is lower than required for generation`,
    );
    const { node } = privateNetwork;
    const miner = { ...node.miner, intervalAfterLastBlockThenGenerationIsAllowedMs: 60_000 };
    const old = owned({ ...node, miner });
    old.simulated.mineTo(2);
    old.simulated.miner.accountsChanged();
    old.simulated.nowMs += 60_001;
    expect(await minerState(old)).toContain("error: the last block is too old");
    expect(await old.owner.miningAccounts()).toEqual([]);
  });
});

describe("accounts that may make the next block", () => {
  test("have their balance and the earliest time of their block, which is never past", async () => {
    const { simulated, owner } = owned();
    const nextTurnMs = () => Number(simulated.miner.schedule().next?.timestampMs);
    // Until the chain has caught up with the clock.
    while (nextTurnMs() <= simulated.nowMs) simulated.step();
    const [account, ...others] = await owner.miningAccounts();
    const turnMs = nextTurnMs();
    expect(others).toEqual([]);
    expect(addressText(account?.address as Address)).toBe(master);
    expect(account).toMatchObject({ generatingBalance: 10_000_000_000_000_000n, timestampMs: turnMs });
    simulated.nowMs = turnMs + 5_000;
    expect(await owner.miningAccounts()).toMatchObject([{ timestampMs: turnMs + 5_000 }]);
  });

  test("are none while the node makes no blocks", async () => {
    const { simulated, owner } = owned();
    simulated.node.stop();
    expect(await owner.miningAccounts()).toEqual([]);
  });
});

describe("rolling back", () => {
  test.each([true, false])("returns transactions to the pool or not: %s", async (returnsTransactions) => {
    const { simulated, owner } = owned();
    simulated.mineTo(3);
    const transfer = broadcast(simulated);
    while (simulated.pool.size > 0) simulated.step();
    simulated.mineTo(simulated.height + 2);
    const block = simulated.chain.view.findHeader(3);
    expect(await owner.rollBack(3, { returnsTransactions })).toEqual({ kind: "done", blockId: block?.id });
    expect(simulated.height).toBe(3);
    expect(simulated.chain.view.findTransaction(transfer.id)).toBeUndefined();
    expect([...simulated.pool.all()].map(({ id }) => id)).toEqual(returnsTransactions ? [transfer.id] : []);
    // A dropped transaction may come again from a client or peer that still has it.
    if (!returnsTransactions) expect(simulated.broadcast(transfer)).toBe(true);
    while (simulated.pool.size > 0) simulated.step();
    expect(simulated.chain.view.findTransaction(transfer.id)).toBeDefined();
  });

  test("to a height above the tip does nothing", async () => {
    const { simulated, owner } = owned();
    simulated.mineTo(3);
    for (const height of [-1, 0, 4]) {
      expect(await owner.rollBack(height, { returnsTransactions: true })).toEqual({ kind: "noBlock" });
    }
    expect(simulated.height).toBe(3);
    const tip = simulated.chain.stored.tip();
    expect(await owner.rollBack(3, { returnsTransactions: true })).toEqual({ kind: "done", blockId: tip.id });
  });

  test("does not resolve until readers see it", async () => {
    const readModel = new UnreliableReadModel();
    const { simulated, owner } = owned(privateNetwork.node, { readModel });
    simulated.mineTo(5);
    await simulated.node.drain();
    readModel.isDown = true;
    const rolledBack = () => owner.rollBack(3, { returnsTransactions: false });
    await expect(rolledBack()).rejects.toThrow("the database does not answer");
    expect(simulated.height).toBe(3);
    await expect(rolledBack()).rejects.toThrow("the database does not answer");
    readModel.isDown = false;
    expect(await rolledBack()).toMatchObject({ kind: "done" });
    expect(readModel.sqlite.prepare("SELECT MAX(height) AS height FROM block").get()).toEqual({ height: 3 });
  });

  test("goes below the finalized height, but not below the undo records", async () => {
    const { node } = privateNetwork;
    const { simulated, owner } = owned({ ...node, maxRollbackDepth: 2 * maxForkDepth });
    simulated.mineTo(maxForkDepth + 5);
    const epoch = simulated.chain.forks.epoch();
    expect(await owner.rollBack(2, { returnsTransactions: false })).toMatchObject({ kind: "done" });
    expect({ height: simulated.height, epoch: simulated.chain.forks.epoch() }).toEqual({ height: 2, epoch: epoch + 1 });
    simulated.mineTo(4);
    const shallow = owned({ ...node, maxRollbackDepth: 1 }, { database: simulated.database });
    shallow.simulated.nowMs = simulated.nowMs;
    shallow.simulated.mineTo(maxForkDepth + 1);
    expect(await shallow.owner.rollBack(1, { returnsTransactions: false })).toEqual({
      kind: "refused",
      reason: expect.stringContaining("Cannot roll back to height 1"),
    });
    expect(shallow.simulated.height).toBe(maxForkDepth + 1);
  });
});

test("does not reveal the keys", async () => {
  const { simulated, owner } = owned();
  simulated.mineTo(2);
  const text = JSON.stringify([await owner.activity(), await owner.miningAccounts()], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value instanceof Uint8Array ? [...value] : value,
  );
  expect(text).not.toContain(JSON.stringify([...richKey.privateKey]).slice(1, -1));
});
