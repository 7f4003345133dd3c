/** @see Waves: state/diffs/CommonValidation.scala (disallowTxFromFuture, disallowTxFromPast) */
import { expect, test } from "vitest";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { checkTimestamp } from "../../../../src/rules/transactions/checks/timestamps.ts";
import { context, now, sample, violationOf } from "../../../support/builders/sample-transactions.ts";
import { InMemoryState } from "../../../support/fakes/in-memory-state.ts";

const transferAt = (timestamp: bigint) => sample(TransactionType.Transfer, { timestamp });

test("until the last time-based fork, by the transaction's own time, the future has no limit", () => {
  const early = { ...context, previousBlockTimestamp: 0n, blockTimestamp: 0n };
  const view = new InMemoryState({ functionality: { lastTimeBasedForkParameter: now } });
  expect(() => checkTimestamp(transferAt(now - 1n), view, early)).not.toThrow();
  expect(violationOf(() => checkTimestamp(transferAt(now), view, early)).code).toBe("timestampFromFuture");
});

test("before the first block nothing is too old", () => {
  const first = { ...context, previousBlockTimestamp: undefined };
  expect(() => checkTimestamp(transferAt(0n), new InMemoryState(), first)).not.toThrow();
});

const least = -(2n ** 63n);
/** The difference to the last timestamp that wraps is 2^63 - 1, to the next one -2^63. */
test.each([
  { timestamp: least, verdict: "taken" },
  { timestamp: least + now, verdict: "taken" },
  { timestamp: least + now + 1n, verdict: "timestampFromPast" },
  { timestamp: -1n, verdict: "timestampFromPast" },
])("the difference to the block before wraps in 64 bits: $timestamp is $verdict", ({ timestamp, verdict }) => {
  const at = { ...context, previousBlockTimestamp: now, blockTimestamp: now };
  const check = () => checkTimestamp(transferAt(timestamp), new InMemoryState(), at);
  if (verdict === "taken") expect(check).not.toThrow();
  else expect(violationOf(check).code).toBe(verdict);
});

test("if the future was limited from the start, a time near -2^63 is in it: that difference wraps, too", () => {
  const view = new InMemoryState({ functionality: { lastTimeBasedForkParameter: least } });
  const at = { ...context, previousBlockTimestamp: now, blockTimestamp: now };
  expect(violationOf(() => checkTimestamp(transferAt(least), view, at)).code).toBe("timestampFromFuture");
});
