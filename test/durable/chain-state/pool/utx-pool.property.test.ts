import fc from "fast-check";
import { expect, test } from "vitest";
import { compareProfit, poolRank } from "../../../../durable/chain-state/pool/pool-order.ts";
import { SqlPoolStorage } from "../../../../durable/chain-state/pool/sql-pool-storage.ts";
import { type PoolChange, UtxPool } from "../../../../durable/chain-state/pool/utx-pool.ts";
import { encodeBase58 } from "../../../../src/crypto/base58.ts";
import { utxDefaults } from "../../../../src/network/defaults.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import { SimulatedNode } from "../../../../verification/simulation/simulated-node.ts";
import type { TestDatabase } from "../../../../verification/sqlite/test-database.ts";
import { withoutStateSnapshots } from "../../../support/builders/discarded.ts";
import { signedTransfer } from "../../../support/builders/signed-transfer.ts";
import { testStore } from "../../../support/builders/test-store.ts";

const startMs = 1_700_000_000_000;
const node = new SimulatedNode({ startMs });
node.mineTo(2);
const { view } = node.chain;
const transactions = Array.from({ length: 24 }, (_, number) =>
  signedTransfer({ timestamp: BigInt(startMs - number), fee: 100_000n * BigInt(1 + (number % 4)) }),
);

const changes = ["add", "remove", "return", "readmit", "append", "undo"] as const;
type Operation =
  | { readonly kind: (typeof changes)[number]; readonly numbers: readonly number[] }
  | { readonly kind: "cleanUp"; readonly atMost: number }
  | { readonly kind: "restart" };
const operations: fc.Arbitrary<readonly Operation[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constantFrom(...changes),
      numbers: fc.uniqueArray(fc.nat({ max: transactions.length - 1 }), { maxLength: 8 }),
    }),
    fc.record({ kind: fc.constant("cleanUp" as const), atMost: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constant("restart" as const) }),
  ),
  { maxLength: 30 },
);

const noChange: PoolChange = { appended: [], discarded: undefined, dropped: [] };

/** Change of the chain that has been committed. */
function follow(pool: UtxPool, change: Partial<PoolChange>): void {
  pool.follow({ ...noChange, ...change }, view)();
}

/** Change of the chain that its SQLite transaction rolls back. */
function followInVain(pool: UtxPool, database: TestDatabase, change: PoolChange): void {
  const undone = new Error("taken back on purpose");
  expect(() =>
    database.transaction(() => {
      pool.follow(change, view);
      throw undone;
    }),
  ).toThrow(undone);
}

test("after any operations a pool lists its content once, in order, and counts it right; so does its storage", () => {
  fc.assert(
    fc.property(operations, (steps) => {
      const { database } = testStore();
      const storage = new SqlPoolStorage(database);
      const { chainId } = view.settings;
      let pool = new UtxPool({ settings: utxDefaults, chainId, storage });
      const expected = new Set<Transaction>();
      let returned: readonly Transaction[] = [];
      for (const step of steps) {
        const chosen = "numbers" in step ? step.numbers.map((number) => transactions[number] as Transaction) : [];
        switch (step.kind) {
          case "add":
            for (const transaction of chosen) {
              expect(pool.add(transaction, view, startMs)).toBe(!expected.has(transaction));
              expected.add(transaction);
            }
            break;
          case "remove":
            pool.removeAll(chosen);
            for (const transaction of chosen) expected.delete(transaction);
            break;
          case "return":
            returned = chosen.filter((transaction) => !expected.has(transaction));
            follow(pool, { discarded: withoutStateSnapshots(chosen) });
            for (const transaction of chosen) expected.add(transaction);
            break;
          case "append":
            follow(pool, { appended: chosen });
            for (const transaction of chosen) expected.delete(transaction);
            break;
          case "undo": {
            const before = [...pool.all()];
            const [appended = [], discarded = [], dropped = []] = [0, 1, 2].map((list) =>
              chosen.filter((_, at) => at % 3 === list),
            );
            followInVain(pool, database, { appended, discarded: withoutStateSnapshots(discarded), dropped });
            expect([...pool.all()]).toEqual(before);
            break;
          }
          case "readmit":
            follow(pool, { dropped: chosen });
            for (const transaction of chosen) expected.add(transaction);
            break;
          case "cleanUp":
            pool.cleanUp(view, startMs, step.atMost);
            break;
          case "restart":
            pool = new UtxPool({ settings: utxDefaults, chainId, storage });
            pool.restore();
            expect([pool.isRead, pool.size]).toEqual([expected.size === 0, expected.size]);
            while (!pool.isRead) pool.cleanUp(view, startMs);
            returned = [];
            break;
        }
        returned = returned.filter((transaction) => expected.has(transaction));
        const listed = [...pool.all()];
        expect(pool.size).toBe(expected.size);
        expect(new Set(listed.map(({ id }) => encodeBase58(id)))).toEqual(
          new Set(Array.from(expected, ({ id }) => encodeBase58(id))),
        );
        expect(listed).toHaveLength(expected.size);
        expect(pool.sizeBytes).toBe(listed.reduce((sum, { bytes }) => sum + bytes.length, 0));
        expect(storage.extent().count).toBe(expected.size);
        expect(listed.slice(0, returned.length).map(({ id }) => id)).toEqual(returned.map(({ id }) => id));
        const ranks = listed.slice(returned.length).map((transaction) => poolRank(transaction, 0, utxDefaults));
        for (const [index, rank] of ranks.slice(1).entries())
          expect(compareProfit(ranks[index] as typeof rank, rank)).toBeLessThanOrEqual(0);
      }
    }),
    { numRuns: 60 },
  );
});
