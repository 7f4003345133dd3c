import { expect, test } from "vitest";
import { ValidatedParts } from "../../../../durable/chain-state/chain/judged-parts.ts";
import { BlockProgress } from "../../../../durable/chain-state/peers/judged-block.ts";
import type { Address } from "../../../../src/crypto/identities.ts";
import { RuleError } from "../../../../src/protocol/errors.ts";
import type { Transaction } from "../../../../src/protocol/transactions/transaction.ts";
import type { BlockRun, ExecutedTransaction } from "../../../../src/rules/blocks/block-run.ts";
import type { ExecutionVariant } from "../../../../src/rules/blocks/execution-variants.ts";
import { testDatabase } from "../../../../verification/sqlite/test-database.ts";

const id = new Uint8Array(32).fill(9);
const address = new Uint8Array(26).fill(3) as Address;
const refusing = { expectedChainId: 87, takes: false, matters: true };

/** Continues with the stored findings in a new instance. */
function reset(progress: BlockProgress, database: ReturnType<typeof testDatabase>): BlockProgress {
  new ValidatedParts(database).add(id, [...progress.findings()]);
  return new BlockProgress(new ValidatedParts(database).find(id));
}

const subjectsOf = ({ database }: ReturnType<typeof testDatabase>) =>
  database
    .prepare("SELECT DISTINCT subject FROM judged_part ORDER BY subject")
    .all()
    .map(({ subject }) => subject);

function wayOf(progress: BlockProgress, number: number): ExecutionVariant {
  return [...progress.own.waysOf(false)][number] as ExecutionVariant;
}

test("a variant continues with its observations, and the same variants follow it", () => {
  const database = testDatabase();
  const progress = new BlockProgress();
  const ways = progress.own.waysOf(false);
  const way = ways.at(0) as ExecutionVariant;
  expect(way.foreignAddresses.counts(address, refusing)).toBe(false);
  way.storedParent!.hasMattered = true;
  way.spellings.read(address, "key", undefined, {
    last: { value: { type: "integer", value: 1n }, height: 7 },
    before: { value: { type: "binary", value: Uint8Array.of(1) } },
  });
  progress.own.add(way, 0, judged(transactionOf(1)));
  const again = reset(progress, database);
  const restored = wayOf(again, 0);
  expect(restored.foreignAddresses.refusalOf(address)).toEqual(way.foreignAddresses.refusalOf(address));
  expect(restored.foreignAddresses.counts(address, { ...refusing, takes: true })).toBe(false);
  expect([...again.own.waysOf(false)]).toHaveLength([...ways].length);
  expect([...ways].length).toBeGreaterThan(3);
});

test("of finished variants only the outcomes stay, with their causes", () => {
  const database = testDatabase();
  let progress = new BlockProgress();
  const first = progress.own.waysOf(false).at(0) as ExecutionVariant;
  first.foreignAddresses.hasMattered = true;
  progress.own.add(first, 0, judged(transactionOf(1)));
  progress = reset(progress, database);
  expect(subjectsOf(database)).toEqual(["own false 0;"]);
  const cause = new RuleError({ code: "blockFromFuture", latestMs: 1n, gotMs: 2n });
  const error = new RuleError({ code: "challengeInvalid", reason: "so" }, { cause });
  progress.own.waysOf(false).note(wayOf(progress, 0), error);
  progress = reset(progress, database);
  expect(subjectsOf(database)).toEqual([""]);
  const outcome = progress.own.waysOf(false).verdictOf(wayOf(progress, 0)) as RuleError;
  expect(outcome.violation).toEqual(error.violation);
  expect((outcome.cause as RuleError).violation).toEqual(cause.violation);
  // Nothing is stored twice.
  expect([...progress.findings()]).toEqual([]);
});

test("a justified challenge is justified for the next process, and its challenged block is dropped", () => {
  const database = testDatabase();
  let progress = new BlockProgress();
  const way = progress.challenged?.waysOf(true).at(0) as ExecutionVariant;
  progress.challenged?.add(way, 0, judged(transactionOf(1)));
  progress = reset(progress, database);
  expect(
    progress.challenged?.find([...progress.challenged.waysOf(true)][0] as ExecutionVariant, run, transactionOf(1), 0),
  ).toEqual(judged(transactionOf(1)));
  progress.justify();
  progress = reset(progress, database);
  expect(progress.challenged).toBeUndefined();
  expect(subjectsOf(database)).toEqual([""]);
});

test("an effect is found only for the transaction with its id", () => {
  const database = testDatabase();
  const progress = new BlockProgress();
  const way = progress.own.waysOf(false).at(0) as ExecutionVariant;
  progress.own.add(way, 3, judged(transactionOf(1)));
  const again = reset(progress, database);
  const find = (transaction: Transaction, index: number) => again.own.find(wayOf(again, 0), run, transaction, index);
  expect(find(transactionOf(2), 3)).toBeUndefined();
  expect(find(transactionOf(1), 2)).toBeUndefined();
  expect(find(transactionOf(1), 3)).toEqual(judged(transactionOf(1)));
  expect(find(transactionOf(1), 3)).toEqual(judged(transactionOf(1)));
});

function transactionOf(number: number): Transaction {
  return { id: new Uint8Array(32).fill(number) } as Uint8Array & Transaction as Transaction;
}

function judged(transaction: Transaction): ExecutedTransaction {
  return {
    included: {
      transaction,
      bytes: Uint8Array.of(1),
      status: "succeeded",
      spentComplexity: 5n,
      snapshot: { balances: [{ address, asset: null, balance: 1n }] },
      addresses: [address],
      callRecord: Uint8Array.of(2),
    },
    fee: undefined,
    usage: { transactions: 1, sizeBytes: 2, scriptComplexity: 3n },
    spellingReads: undefined,
  };
}

/** Stub that restores a stored effect. */
const run = {
  withStoredEffect: (
    transaction: Transaction,
    { included, ...effect }: Omit<ExecutedTransaction, "included"> & { included: object },
  ) => ({
    ...effect,
    included: { ...included, transaction, bytes: Uint8Array.of(1) },
  }),
} as unknown as BlockRun;
