/** State override on a dev chain: a change of the state without a transaction, as a commit of the liquid block. */
import { beforeEach, describe, expect, test } from "vitest";
import type { StateOverride } from "../../../../durable/chain-state/chain/liquid-chain.ts";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { equalBytes } from "../../../../src/crypto/bytes.ts";
import { Feature } from "../../../../src/network/features.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { stateTables } from "../../../../src/tables/all-tables.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { poorKey, richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";

const { blockchain, node } = privateNetwork;
const startMs = 1_700_000_000_000;
const poor = addressOfPublicKey(poorKey.publicKey, blockchain.chainId);
const rich = addressOfPublicKey(richKey.publicKey, blockchain.chainId);
const balanceOf = (simulated: SimulatedNode, account = poor) => simulated.chain.view.balance(account, null);
const setTo = (balance: bigint): StateOverride => ({
  snapshot: { balances: [{ address: poor, asset: null, balance }] },
  issuedWavelets: balance,
});

/** Miner that leaves out micro-blocks younger than a minute. */
const cautious = { ...node, miner: { ...node.miner, minMicroBlockAgeMs: 60_000 } };

let simulated: SimulatedNode;
beforeEach(() => {
  simulated = new SimulatedNode({ startMs, node: cautious });
  simulated.mineTo(3);
});

/** Micro-block with a transfer of one wavelet to the poor account. */
function extend(): void {
  simulated.nowMs += 1;
  simulated.broadcast(signedTransfer({ timestamp: BigInt(simulated.nowMs) }));
  expect(simulated.miner.makeMicroBlock(simulated.nowMs)).toBeDefined();
}

const dump = () => simulated.database.dump(stateTables.map(({ name }) => name));

describe("a state override", () => {
  test("leaves the block as it is, and marks another state", () => {
    const { stored, liquid } = simulated.chain;
    const before = { block: liquid.block().block, state: stored.state() };
    liquid.appendOverride(setTo(5n));
    expect(balanceOf(simulated)).toBe(5n);
    expect(liquid.block().block).toEqual(before.block);
    expect(stored.state()).toEqual({
      ...before.state,
      version: expect.not.stringMatching(before.state.version) as string,
    });
  });

  test("is a commit: later ones build on it, and each can be rolled back", () => {
    const { chain } = simulated;
    const states = [dump()];
    const steps = [
      () => chain.liquid.appendOverride(setTo(5n)),
      extend,
      () => chain.liquid.appendOverride(setTo(100n)),
      extend,
    ];
    for (const step of steps) {
      step();
      states.push(dump());
    }
    expect(balanceOf(simulated)).toBe(101n);
    for (let form = steps.length; form >= 0; form--) expect(chain.liquid.withLiquidForm(form, dump)).toBe(states[form]);
  });

  test("stays when the next key block discards the micro-blocks after it", () => {
    const { chain, pool } = simulated;
    chain.liquid.appendOverride(setTo(5n));
    const { id } = chain.stored.tip();
    extend();
    expect(balanceOf(simulated)).toBe(6n);
    while (simulated.height < 4) simulated.step();
    expect(equalBytes(chain.view.findHeader(4)?.header.reference ?? new Uint8Array(), id)).toBe(true);
    expect(balanceOf(simulated)).toBe(5n);
    expect(pool.size).toBe(1);
    simulated.chain.forks.revertTo(3);
    expect(balanceOf(simulated)).toBe(5n);
    simulated.chain.forks.revertTo(2);
    expect(balanceOf(simulated)).toBe(0n);
  });

  test("deletes no micro-block id once its block is closed", () => {
    simulated.chain.liquid.appendOverride(setTo(5n));
    while (simulated.height < 4) simulated.step();
    const heights = simulated.database.database.prepare("SELECT DISTINCT height FROM micro_block").all();
    expect(heights).toEqual([{ height: 4 }]);
  });

  test("counts for transactions that returned to the pool after it: they are validated again", () => {
    const { chain, pool } = simulated;
    extend();
    while (simulated.height < 4) simulated.step();
    expect([...pool.priorityEffects()]).toHaveLength(1);
    chain.liquid.appendOverride({
      snapshot: { balances: [{ address: rich, asset: null, balance: 7n }] },
      issuedWavelets: 0n,
    });
    expect([...pool.priorityEffects()]).toHaveLength(0);
    expect(pool.size).toBe(1);
    const late = signedTransfer({ timestamp: BigInt(simulated.nowMs), amount: 2n });
    expect(() => pool.add(late, chain.view, simulated.nowMs)).toThrow("fundsMissing");
  });

  test("is refused on a final tip, and before micro-blocks are known", () => {
    const fresh = new SimulatedNode({ startMs });
    expect(() => fresh.chain.liquid.appendOverride(setTo(1n))).toThrow("microBlockRefused");
    const { functionality } = blockchain;
    const preActivatedFeatures = new Map([...functionality.preActivatedFeatures].filter(([id]) => id !== Feature.Ng));
    const early = new SimulatedNode({
      startMs,
      blockchain: { ...blockchain, functionality: { ...functionality, preActivatedFeatures } },
    });
    early.mineTo(3);
    expect(() => early.chain.liquid.appendOverride(setTo(1n))).toThrow("microBlockRefused");
    expect(balanceOf(early)).toBe(0n);
  });
});
