/** @see Waves: state/diffs/CommonValidation.scala (disallowTxFromFuture, disallowTxFromPast) */
import { expect, test } from "vitest";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { checkTimestamp } from "../../../../src/rules/transactions/checks/timestamps.ts";
import { InMemoryState } from "../../in-memory-state.ts";
import { context, faultOf, now, sample } from "../samples.ts";

const transferAt = (timestamp: bigint) => sample(TransactionType.Transfer, { timestamp });

test("until the last time-based fork, which is told by the transaction's own time, the future has no end", () => {
  const early = { ...context, previousBlockTimestamp: 0n, blockTimestamp: 0n };
  const view = new InMemoryState({ functionality: { lastTimeBasedForkParameter: now } });
  expect(() => checkTimestamp(transferAt(now - 1n), view, early)).not.toThrow();
  expect(faultOf(() => checkTimestamp(transferAt(now), view, early)).code).toBe("timestampFromFuture");
});

test("nothing comes before the first block, so nothing is too old for it", () => {
  const first = { ...context, previousBlockTimestamp: undefined };
  expect(() => checkTimestamp(transferAt(0n), new InMemoryState(), first)).not.toThrow();
});
