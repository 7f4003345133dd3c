/** Work of one packing: scripts are counted by their complexity, since the clock may stand still meanwhile. */
import { describe, expect, test, vi } from "vitest";
import type { PackOptions } from "../../../../durable/chain-state/pool/packing.ts";
import type { Packed } from "../../../../durable/chain-state/pool/utx-pool.ts";
import { addressOfPublicKey } from "../../../../src/crypto/address.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import type { TransactionId } from "../../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import type { TransactionViolation } from "../../../../src/protocol/transactions/transaction-violation.ts";
import { WorkRefused } from "../../../../src/ride/work-refused.ts";
import type { BlockRun } from "../../../../src/rules/blocks/block-run.ts";
import type { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { expensive } from "../../../support/builders/dapps.ts";
import {
  complexityOf,
  nodeWithVerifier,
  nodeWithWaitingVerifier,
} from "../../../support/builders/node-with-verifier.ts";
import { signedBy } from "../../../support/builders/signed-by.ts";
import { poorKey, richKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";
import { dAppOf } from "../../../support/builders/test-scripts.ts";

const { blockchain } = privateNetwork;

const idsOf = ({ pool }: SimulatedNode): TransactionId[] => [...pool.ids()];

/** Packs on the tip. @returns number of executed transactions */
function pack(
  node: SimulatedNode,
  options: Partial<PackOptions> = {},
  prepare: (run: BlockRun) => void = () => {},
): Packed & { readonly runs: number } {
  const { view, liquid } = node.chain;
  const { run } = liquid.openMicroBlock({ verifySignatures: true });
  prepare(run);
  const add = vi.spyOn(run, "add");
  const packed = node.pool.pack(run, { view, maxTransactions: 500, nowMs: node.nowMs, ...options });
  return { ...packed, runs: add.mock.calls.length };
}

describe("one packing", () => {
  test("ends when the scripts have used up their limit; the others remain, in order", () => {
    const node = nodeWithWaitingVerifier(12);
    const waiting = idsOf(node);
    const { transactions, runs, isBlockFull } = pack(node, { maxComplexity: 5n * complexityOf(node) });
    expect(transactions.map(({ id }) => id)).toEqual(waiting.slice(0, 5));
    expect(runs).toBe(5);
    expect(isBlockFull).toBe(false);
    node.pool.removeAll(transactions);
    expect(idsOf(node)).toEqual(waiting.slice(5));
  });

  test("of a miner costs 200,000 at the most, and one transaction's scripts", () => {
    const node = nodeWithWaitingVerifier(120);
    const most = 200_000n / complexityOf(node) + 1n;
    expect(most).toBeLessThan(120n);
    expect(pack(node).transactions).toHaveLength(Number(most));
    while (node.pool.size > 0) node.step();
    expect(node.microBlocks.slice(-2).map(({ microBlock }) => microBlock.transactions.length)).toEqual([
      Number(most),
      120 - Number(most),
    ]);
  });

  test("counts little for failures by balances: no script has run", () => {
    const node = nodeWithWaitingVerifier(0);
    const { view } = node.chain;
    const balance = view.balance(addressOfPublicKey(poorKey.publicKey, blockchain.chainId), null);
    // Each spends more than half.
    for (let index = 0; index < 12; index++) {
      const fields = { key: poorKey, to: richKey, fee: 500_000n, amount: balance / 2n };
      node.broadcast(signedTransfer({ timestamp: BigInt(node.nowMs - index), ...fields }));
    }
    const { transactions, runs } = pack(node, { maxComplexity: complexityOf(node) + 100n });
    expect(transactions).toHaveLength(1);
    expect(runs).toBe(6);
    expect(node.pool.size).toBe(7);
  });

  test.each([
    ["the cost of its scripts if that is known", { hasRun: true, complexity: 30_000 }, 2],
    ["a guess where it is not", { hasRun: true, complexity: 0 }, 12],
  ])("counts of a refused transaction %s, and drops it", (_, effort, tried) => {
    const node = nodeWithWaitingVerifier(12);
    const { runs } = pack(node, { maxComplexity: 50_000n }, (run) => {
      run.add = (_transaction, _verifies, meter) => {
        Object.assign(meter as object, effort);
        throw new RuleError({ code: "feeMissing" } as TransactionViolation);
      };
    });
    expect([runs, 12 - node.pool.size]).toEqual([tried, tried]);
  });

  test("counts a call that uses up its limit with its spent complexity", () => {
    const node = nodeWithVerifier();
    const common = { chainId: blockchain.chainId, sender: richKey.publicKey, feeAsset: null, proofs: [] } as const;
    const script = dAppOf(`@Callable(i)
func heavy() = if (${expensive(48)}) then throw("never") else []
@Callable(i)
func call() = if (!isDefined(getInteger(this, "dear"))) then [] else {
${["a", "b", "c", "d", "e"].map((name) => `strict ${name} = invoke(this, "heavy", [], [])`).join("\n")}
if (${expensive(50)}) then [] else []
}`);
    const ofScript = { ...common, type: TransactionType.SetScript, version: 2, fee: 100_000_000n, script } as const;
    node.broadcast(signedBy(richKey, buildTransaction({ ...ofScript, timestamp: BigInt(node.nowMs) })));
    while (node.pool.size > 0) node.step();
    const address = addressOfPublicKey(richKey.publicKey, blockchain.chainId);
    const called = { dApp: { kind: "address", address }, call: { function: "call", args: [] }, payments: [] } as const;
    const ofCall = { ...common, ...called, type: TransactionType.InvokeScript, version: 2, fee: 10_000_000n } as const;
    for (let index = 0; index < 12; index++)
      node.broadcast(signedBy(richKey, buildTransaction({ ...ofCall, timestamp: BigInt(node.nowMs - index) })));
    // It comes first, and from then on they are expensive.
    const data = [{ key: "dear", value: { type: "integer", value: 1n } }] as const;
    const ofData = { ...common, type: TransactionType.Data, version: 1, fee: 100_000_000n, data } as const;
    node.broadcast(signedBy(richKey, buildTransaction({ ...ofData, timestamp: BigInt(node.nowMs) })));
    const { runs, transactions } = pack(node);
    expect([runs, transactions.length, node.pool.size]).toEqual([5, 1, 9]);
  });

  test("counts refused work as a call that ran to its end", () => {
    const node = nodeWithWaitingVerifier(12);
    const { runs } = pack(node, {}, (run) => {
      run.add = (_transaction, _verifies, meter) => {
        Object.assign(meter as object, { hasRun: true });
        throw new WorkRefused("an RSA key is too long");
      };
    });
    expect([runs, node.pool.size]).toEqual([4, 8]);
  });

  test("counts little for a date that is too late, and keeps the transaction: it may come into the next block", () => {
    const date = { code: "timestampFromFuture" } as TransactionViolation;
    const node = nodeWithWaitingVerifier(12);
    const { runs } = pack(node, { maxComplexity: 600n }, (run) => {
      run.add = () => {
        throw new RuleError(date);
      };
    });
    expect([runs, node.pool.size]).toEqual([12, 12]);
  });

  test("ends after its time limit, but never before it has tried one", () => {
    const node = nodeWithWaitingVerifier(12);
    const waiting = idsOf(node);
    // Each transaction takes 10 ms.
    let clockMs = 0;
    const packed = pack(node, { isTimeUp: () => clockMs >= 35 }, (run) => {
      const add = run.add.bind(run);
      run.add = (...args) => {
        clockMs += 10;
        add(...args);
      };
    });
    expect(packed.transactions.map(({ id }) => id)).toEqual(waiting.slice(0, 4));
    expect(packed.runs).toBe(4);
    expect(pack(node, { isTimeUp: () => true }).runs).toBe(1);
  });
});

test("a slice of the clean-up ends when the scripts have cost 50,000", () => {
  const waiting = 60;
  const node = nodeWithWaitingVerifier(waiting);
  const inSlice = Number(50_000n / complexityOf(node)) + 1;
  node.pool.startCleanUp();
  let slices = 0;
  do slices++;
  while (node.pool.cleanUp(node.chain.view, node.nowMs));
  expect(slices).toBe(Math.ceil(waiting / inSlice));
  expect(slices).toBeGreaterThan(1);
  expect(node.pool.size).toBe(waiting);
});

describe("a transaction that does not fit", () => {
  const leaving = (complexity: bigint) => (run: BlockRun) => {
    run.usage = { ...run.usage, scriptComplexity: BigInt(run.limits.scriptComplexity as number) - complexity };
  };

  test("is executed once, and again if there is room for its cost", () => {
    const node = nodeWithWaitingVerifier(3);
    const one = complexityOf(node);
    const waiting = idsOf(node);
    // The rules execute them to find out which do not fit.
    expect(pack(node, {}, leaving(one - 1n))).toMatchObject({ transactions: [], runs: 3, isBlockFull: false });
    expect(pack(node, {}, leaving(one - 1n))).toMatchObject({ transactions: [], runs: 0 });
    expect(idsOf(node)).toEqual(waiting);
    const packed = pack(node, {}, leaving(one));
    expect(packed.transactions.map(({ id }) => id)).toEqual(waiting.slice(0, 1));
    expect(packed.runs).toBe(1);
  });

  test("counts when it is executed, too", () => {
    const node = nodeWithWaitingVerifier(12);
    const one = complexityOf(node);
    expect(pack(node, { maxComplexity: 3n * one }, leaving(one - 1n))).toMatchObject({ transactions: [], runs: 3 });
    expect(pack(node, { maxComplexity: 3n * one }, leaving(one - 1n))).toMatchObject({ transactions: [], runs: 3 });
    expect(node.pool.size).toBe(12);
  });

  test("for its size is not executed at all", () => {
    const node = nodeWithWaitingVerifier(3);
    const packed = pack(node, {}, (run) => {
      run.usage = { ...run.usage, sizeBytes: (run.limits.sizeBytes as number) - 120 };
    });
    expect(packed).toMatchObject({ transactions: [], runs: 0, isBlockFull: false });
    expect(node.pool.size).toBe(3);
  });
});
