/**
 * Deposits of accounts: a view that follows block by block, one that reads the tables again, one of the read model, one
 * with the newest blocks on top, and the interface's statements agree with a count height by height.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { StateStore } from "../../../durable/chain-state/state/state-store.ts";
import type { Address, PublicKey } from "../../../src/crypto/identities.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { BlockchainSettings } from "../../../src/network/settings.ts";
import type { SignedHeader } from "../../../src/protocol/blocks/block.ts";
import type { TransactionId } from "../../../src/protocol/transactions/transaction.ts";
import { depositsQuery, effectiveBalanceQuery, lowestBalanceQuery } from "../../../src/read-model/account.ts";
import type { Query } from "../../../src/read-model/query.ts";
import { commitmentDeposit, depositOf } from "../../../src/rules/finality/deposit.ts";
import { type GenerationPeriod, generationPeriodAt } from "../../../src/rules/finality/generation-period.ts";
import { accountTable, balanceHistoryTable } from "../../../src/tables/accounts.ts";
import type { BlockRow } from "../../../src/tables/blocks.ts";
import { commitmentTable, generatorConflictTable } from "../../../src/tables/commitments.ts";
import { added, type RowChange, written } from "../../../src/tables/schema/row-change.ts";
import { TableView } from "../../../src/tables/view/table-view.ts";
import { d1Double, putRows } from "../../../verification/sqlite/d1-double.ts";
import { stateDatabase } from "../../../verification/sqlite/node-database.ts";
import { putChain } from "../../support/builders/put-chain.ts";

const address = new Uint8Array(26).fill(7) as Address;
const FEE = 1n;
const START_BALANCE = 5n * commitmentDeposit;

/** Events in the block of a height. */
interface Happening {
  readonly commits: boolean;
  readonly conflicts: boolean;
  /** Other change of the balance. */
  readonly gain: bigint;
  /** Number of other commitments before the account's. */
  readonly others: number;
}

const happening: fc.Arbitrary<Happening> = fc.record({
  commits: fc.integer({ min: 0, max: 2 }).map((number) => number === 0),
  conflicts: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  gain: fc.oneof(fc.constant(0n), fc.bigInt({ min: -commitmentDeposit / 4n, max: commitmentDeposit / 4n })),
  others: fc.nat({ max: 2 }),
});

/** The chain of an account, with the resulting balances of each height. */
class AccountChain {
  readonly settings: BlockchainSettings;
  readonly store: StateStore;
  readonly view: TableView;
  /** Own balance minus deposits, by height; the first is height 0. */
  readonly effective: bigint[] = [0n];
  #balance = START_BALANCE;
  height = 0;

  constructor(generationPeriodLength: number, activation: number) {
    const { blockchain } = privateNetwork;
    this.settings = {
      ...blockchain,
      functionality: {
        ...blockchain.functionality,
        generationPeriodLength,
        preActivatedFeatures: new Map([...blockchain.functionality.preActivatedFeatures, [25, activation]]),
      },
    };
    this.store = new StateStore(stateDatabase());
    this.view = new TableView(this.store, this.settings);
  }

  get periodLength(): number {
    return this.settings.functionality.generationPeriodLength;
  }

  append({ commits, conflicts, gain, others }: Happening): void {
    this.height++;
    const { height, view } = this;
    const changes: RowChange[] = [];
    const current = generationPeriodAt(height, view);
    const next = current && (generationPeriodAt(current.end + 1, view) as GenerationPeriod);
    let change = height === 1 ? 0n : gain;
    if (next !== undefined) {
      let position = view.commitmentCount(next.start);
      const commit = (account: Address): void => {
        changes.push(
          added(commitmentTable, {
            periodStart: next.start,
            position: position++,
            address: account,
            publicKey: new Uint8Array(32) as PublicKey,
            endorserPublicKey: new Uint8Array(48),
            transactionId: new Uint8Array(32) as TransactionId,
            height,
          }),
        );
      };
      for (let other = 0; other < others; other++) commit(new Uint8Array(26).fill(100 + position) as Address);
      if (commits && view.findCommitment(next.start, address) === undefined) {
        commit(address);
        change -= FEE;
      }
    }
    const own = current && view.findCommitment(current.start, address);
    const punishedAt = own && view.conflicts(current.start).get(own.index);
    if (current !== undefined && own !== undefined && punishedAt === undefined && conflicts)
      changes.push(added(generatorConflictTable, { periodStart: current.start, position: own.index, height }));
    if (change !== 0n || height === 1) {
      this.#balance += change;
      const row = { address, balance: this.#balance, leaseIn: 0n, leaseOut: 0n };
      changes.push(written(accountTable, row), added(balanceHistoryTable, { ...row, height }));
    }
    this.store.commit({ height, step: 0 }, changes);
    const tip = { height } as BlockRow;
    this.view.advance(tip, {} as SignedHeader, changes);
    this.effective.push(this.#balance - this.#depositByRows());
  }

  /** Counted row by row, as of the newest height. */
  #depositByRows(): bigint {
    const { height, periodLength } = this;
    const conflicts = this.store.query(generatorConflictTable, "ORDER BY period_start, position");
    const kept = this.store.query(commitmentTable, "ORDER BY period_start, position").filter((row) => {
      const conflict = conflicts.find(
        ({ periodStart, position }) => periodStart === row.periodStart && position === row.position,
      );
      const isMine = row.address.every((byte, index) => byte === address[index]);
      return isMine && height <= row.periodStart + periodLength - 1 && height <= (conflict?.height ?? height);
    });
    return BigInt(kept.length) * commitmentDeposit;
  }

  lowest(from: number): bigint {
    return this.effective.slice(from).reduce((lowest, value) => (value < lowest ? value : lowest));
  }

  /** Result of the interface's statement. */
  query<Value>({ sql, bindings, decode }: Query<Value>): Value {
    const { sqlite } = d1Double();
    putChain(sqlite, { height: this.height });
    putRows(sqlite, accountTable, this.store.query(accountTable, ""));
    putRows(sqlite, balanceHistoryTable, this.store.query(balanceHistoryTable, ""));
    putRows(sqlite, commitmentTable, this.store.query(commitmentTable, ""));
    putRows(sqlite, generatorConflictTable, this.store.query(generatorConflictTable, ""));
    return decode(sqlite.prepare(sql).all(...(bindings as (string | number | Uint8Array)[])));
  }
}

test("the lowest effective balance of any window counts what was kept back at each of its heights", () => {
  fc.assert(
    fc.property(
      fc.record({
        periodLength: fc.integer({ min: 1, max: 6 }),
        activation: fc.integer({ min: 0, max: 5 }),
        happenings: fc.array(happening, { minLength: 1, maxLength: 40 }),
        depth: fc.integer({ min: 1, max: 45 }),
      }),
      ({ periodLength, activation, happenings, depth }) => {
        const chain = new AccountChain(periodLength, activation);
        for (const each of happenings) {
          chain.append(each);
          const { height, view } = chain;
          // Read in between, as the rules do on every block: the cache must follow.
          const from = Math.max(height - depth + 1, 1);
          expect(view.minimumEffectiveBalance(address, from, height)).toBe(chain.lowest(from));
          expect(view.balance(address, null) - depositOf(address, view)).toBe(chain.effective[height]);
        }
        const { height, store, settings } = chain;
        const fresh = new TableView(store, settings);
        for (let from = 1; from <= height; from++) {
          const expected = chain.lowest(from);
          expect(chain.view.minimumEffectiveBalance(address, from, height)).toBe(expected);
          expect(fresh.minimumEffectiveBalance(address, from, height)).toBe(expected);
        }
      },
    ),
    { numRuns: 150, seed: 16 },
  );
});

test("so do the interface's statements", () => {
  fc.assert(
    fc.property(
      fc.record({
        periodLength: fc.integer({ min: 1, max: 6 }),
        activation: fc.integer({ min: 0, max: 5 }),
        happenings: fc.array(happening, { minLength: 1, maxLength: 30 }),
        depth: fc.integer({ min: 1, max: 35 }),
      }),
      ({ periodLength, activation, happenings, depth }) => {
        const chain = new AccountChain(periodLength, activation);
        for (const each of happenings) chain.append(each);
        const { height, view } = chain;
        const [deposit] = chain.query(depositsQuery([address], periodLength));
        expect(deposit).toBe(depositOf(address, view));
        expect(chain.query(effectiveBalanceQuery(address, periodLength))).toBe(chain.effective[height]);
        expect(chain.query(lowestBalanceQuery(address, "effective", { blocks: depth }, periodLength))).toBe(
          chain.lowest(Math.max(height - depth + 1, 1)),
        );
      },
    ),
    { numRuns: 60, seed: 17 },
  );
});
