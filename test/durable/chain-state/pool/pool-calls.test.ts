/** Results of transactions that the Worker submits to the pool. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { PoolCalls } from "../../../../durable/chain-state/pool/pool-calls.ts";
import type { ParsedSubmission, UtxPool } from "../../../../durable/chain-state/pool/utx-pool.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import type { PoolSubmission, SubmissionResult } from "../../../../src/env.ts";
import { privateNetwork } from "../../../../src/network/networks/private.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import { buildTransaction } from "../../../../src/protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../../../src/protocol/transactions/encode-for-block.ts";
import type {
  Transaction,
  TransactionFields,
  TransactionId,
} from "../../../../src/protocol/transactions/transaction.ts";
import type { TransactionViolation } from "../../../../src/protocol/transactions/transaction-violation.ts";
import type { StateView } from "../../../../src/rules/state/state-view.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import { type FailingDatabase, failingDatabase } from "../../../../verification/sqlite/failing-database.ts";
import { nodeDatabase } from "../../../../verification/sqlite/node-database.ts";
import {
  complexityOf,
  nodeWithWaitingVerifier,
  verifiedTransfer,
} from "../../../support/builders/node-with-verifier.ts";
import { poorKey, signedTransfer } from "../../../support/builders/signed-transfer.ts";

const startMs = 1_700_000_000_000;
const accepted = { accepted: true, isNew: true };
const known = { accepted: true, isNew: false };

const submissionOf = (transaction: Transaction, more: Partial<PoolSubmission> = {}): PoolSubmission => ({
  signedTransaction: encodeProtobuf(transaction),
  ...more,
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the trace of a refused transaction", () => {
  /** Pool that has run a verifier when it refuses. */
  function refusingCalls(violation: TransactionViolation): PoolCalls {
    const addAll = (submissions: readonly ParsedSubmission[]) =>
      submissions.map(({ trace }) => {
        trace?.push({ kind: "printed", json: () => ({ type: "dApp" }) });
        return { error: new RuleError(violation) };
      });
    return new PoolCalls({
      pool: {} as unknown as UtxPool,
      admit: addAll,
      view: { settings: privateNetwork.blockchain } as unknown as StateView,
      unpublished: { size: 0, prefetch: () => {}, has: () => false, find: () => undefined, ids: () => [] },
      minimumPeers: 0,
      connectedPeers: () => 0,
      nowMs: () => 0,
      added: async () => {},
      failed: () => {},
    });
  }

  const submission = submissionOf(signedTransfer({ timestamp: 1n }), { isTraced: true });

  test("has the results of the scripts", async () => {
    const results = await refusingCalls({ code: "feeMissing" } as TransactionViolation).broadcastAll([submission]);
    expect(results).toMatchObject([{ accepted: false, trace: [{ type: "dApp" }] }]);
  });

  test("is lost with a fee that cannot be converted to WAVES, as in the reference", async () => {
    const results = await refusingCalls({ code: "feeConversionOverflow" }).broadcastAll([submission]);
    expect(results).toEqual([{ accepted: false, violation: { code: "feeConversionOverflow" } }]);
  });

  test("is returned for each submission that wants one, among others that do not", async () => {
    const calls = refusingCalls({ code: "feeMissing" } as TransactionViolation);
    const [first, second] = await calls.broadcastAll([{ ...submission, isTraced: false }, submission]);
    expect(first).not.toHaveProperty("trace");
    expect(second).toHaveProperty("trace", [{ type: "dApp" }]);
  });
});

describe("a batch of submitted transactions", () => {
  /** Node with two blocks, and transfers that it accepts. */
  function arrange(transfers = 0) {
    const database = failingDatabase(nodeDatabase());
    const node = new SimulatedNode({ startMs, database });
    node.mineTo(2);
    const make = (fields: Partial<Parameters<typeof signedTransfer>[0]> = {}) =>
      signedTransfer({ timestamp: BigInt(node.nowMs - made++), ...fields });
    let made = 0;
    const offer = (submissions: readonly PoolSubmission[]) => node.node.poolCalls.broadcastAll([...submissions]);
    return { node, database, make, offer, transfers: Array.from({ length: transfers }, () => make()) };
  }
  /** Ids of a node's pool in the order of their arrival, as texts, from its storage. */
  const poolOf = ({ pool }: SimulatedNode) => Array.from(pool.ids(), encodeBase58);
  const stored = ({ database }: SimulatedNode) =>
    database.database
      .prepare("SELECT id FROM pool ORDER BY seq")
      .all()
      .map(({ id }) => encodeBase58(id as Uint8Array));
  const idsOf = (transactions: readonly Transaction[]) => transactions.map(({ id }) => encodeBase58(id));

  test("is validated one by one: a refusal in the middle does not affect the others", async () => {
    const { node, make, offer, transfers } = arrange(4);
    const refused = [make({ fee: 1n }), make({ key: poorKey })];
    const [first, second, third, fourth] = transfers as [Transaction, Transaction, Transaction, Transaction];
    const all = [first, refused[0] as Transaction, second, refused[1] as Transaction, third, fourth];
    expect(await offer(all.map((transaction) => submissionOf(transaction)))).toMatchObject([
      accepted,
      { accepted: false, violation: { code: "feeTooLow" } },
      accepted,
      { accepted: false, violation: { code: "fundsMissing" } },
      accepted,
      accepted,
    ]);
    expect(stored(node)).toEqual(idsOf(transfers));
    expect(new Set(poolOf(node))).toEqual(new Set(idsOf(transfers)));
  });

  test("with a repeated one: it is new once", async () => {
    const { node, offer, transfers } = arrange(2);
    const [first, second] = transfers as [Transaction, Transaction];
    const submissions = [first, second, first].map((transaction) => submissionOf(transaction));
    expect(await offer(submissions)).toEqual([accepted, accepted, known]);
    expect(await offer(submissions)).toEqual([known, known, known]);
    expect(node.pool.size).toBe(2);
    expect(stored(node)).toEqual(idsOf(transfers));
  });

  test("uses the pool as the ones before left it: the last ones have no room", async () => {
    const node = new SimulatedNode({ startMs, utx: { maxSize: 2, allowSkipChecks: false } });
    const submissions = [0, 1, 2].map((number) =>
      submissionOf(signedTransfer({ timestamp: BigInt(startMs - number) })),
    );
    expect(await node.node.poolCalls.broadcastAll(submissions)).toMatchObject([
      accepted,
      accepted,
      { accepted: false, violation: { code: "poolFull" } },
    ]);
  });

  test("with some in an unpublished block: these are accepted again, between others", async () => {
    const { node, offer, transfers } = arrange(3);
    const [inBlock, ...others] = transfers as [Transaction, Transaction, Transaction];
    node.broadcast(inBlock);
    while (node.pool.size > 0) node.step();
    const results = await offer([others[0], inBlock, others[1]].map((transaction) => submissionOf(transaction)));
    expect(results).toEqual([accepted, known, accepted]);
    expect(node.pool.size).toBe(2);
  });

  test("is written in one SQLite transaction, and looked up in the chain by one query", async () => {
    const { node, database, offer, transfers } = arrange(20);
    const transaction = vi.spyOn(database, "transaction");
    const exec = vi.spyOn(database, "exec");
    await offer(transfers.map((each) => submissionOf(each)));
    expect(node.pool.size).toBe(20);
    expect(transaction).toHaveBeenCalledOnce();
    const statements = exec.mock.calls.map(([query]) => query);
    expect(statements.filter((query) => query.startsWith("INSERT"))).toHaveLength(20);
    expect(statements.filter((query) => /\btx\b/.test(query))).toHaveLength(1);
  });

  test.each<readonly [when: string, fail: (database: FailingDatabase) => void]>([
    ["at the first of them", (database) => database.fail({ kind: "full", after: 0 })],
    ["in the middle", (database) => database.fail({ kind: "full", after: 2 })],
    [
      "when all is written",
      (database) => {
        const { transaction } = database;
        vi.spyOn(database, "transaction").mockImplementationOnce((run) =>
          transaction(() => {
            run();
            throw new Error("the database failed at the end");
          }),
        );
      },
    ],
  ])("is not in the pool if the storage fails %s; refusals stay refusals", async (_, fail) => {
    const { node, database, make, offer, transfers } = arrange(3);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const refused = make({ fee: 1n });
    const [first, second, third] = transfers as [Transaction, Transaction, Transaction];
    const submissions = [first, refused, second, first, third].map((transaction) => submissionOf(transaction));
    fail(database);
    expect(await offer(submissions)).toMatchObject([
      "failed",
      { accepted: false, violation: { code: "feeTooLow" } },
      "failed",
      "failed",
      "failed",
    ]);
    database.mend();
    expect(logged).toHaveBeenCalled();
    expect([node.pool.size, node.pool.sizeBytes, stored(node)]).toEqual([0, 0, []]);
    expect(await offer(submissions)).toMatchObject([accepted, { accepted: false }, accepted, known, accepted]);
    expect(stored(node)).toEqual(idsOf(transfers));
  });

  test("with one that is invalid bytes accepts the others", async () => {
    const { node, offer, transfers } = arrange(2);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const [first, second] = transfers as [Transaction, Transaction];
    const submissions = [submissionOf(first), { signedTransaction: Uint8Array.of(1, 2, 3) }, submissionOf(second)];
    expect(await offer(submissions)).toEqual([accepted, "failed", accepted]);
    expect(logged).toHaveBeenCalledOnce();
    expect(node.pool.size).toBe(2);
  });

  test("has its scripts run in slices: results come for the first ones, at least for one", async () => {
    const node = nodeWithWaitingVerifier(0);
    const atOnce = Math.ceil(50_000 / Number(complexityOf(node)));
    const count = 2 * atOnce + 1;
    let submissions = Array.from({ length: count }, (_, number) => submissionOf(verifiedTransfer(node, number)));
    const portions: SubmissionResult[][] = [];
    while (submissions.length > 0) {
      const results = await node.node.poolCalls.broadcastAll(submissions);
      portions.push(results);
      submissions = submissions.slice(results.length);
    }
    expect(portions.map((results) => results.length)).toEqual([atOnce, atOnce, 1]);
    expect(portions.flat()).toEqual(Array.from({ length: count }, () => accepted));
    expect(node.pool.size).toBe(count);
  });
});

describe("signatures that the Worker has verified", () => {
  /** Transfer with an invalid signature. */
  const forged = (node: SimulatedNode): Transaction => ({
    ...signedTransfer({ timestamp: BigInt(node.nowMs) }),
    proofs: [new Uint8Array(64)],
  });
  const bytesOf = (transaction: Transaction) => encodeProtobuf(rebuilt(transaction));
  const rebuilt = (transaction: Transaction) => buildTransaction(transaction as TransactionFields);

  test("are verified neither by the pool nor by the miner; all others are", async () => {
    const node = new SimulatedNode({ startMs });
    node.mineTo(2);
    const signedTransaction = bytesOf(forged(node));
    const calls = node.node.poolCalls;
    const refusal = { accepted: false, violation: { code: "proofInvalid" } };
    expect(await calls.broadcastAll([{ signedTransaction }])).toMatchObject([refusal]);
    expect(await calls.broadcastAll([{ signedTransaction, areSignaturesVerified: false }])).toMatchObject([refusal]);
    expect(await calls.broadcastAll([{ signedTransaction, areSignaturesVerified: true }])).toEqual([accepted]);
    const [id] = [...node.pool.ids()];
    while (node.pool.size > 0) node.step();
    expect(node.chain.view.findTransaction(id as TransactionId)).toBeDefined();
  });
});
