import { expect, test } from "vitest";
import { parsedTransactions } from "../../../../durable/chain-state/pool/parsed-transactions.ts";
import type { BytesKey } from "../../../../src/crypto/bytes.ts";
import { TransactionType } from "../../../../src/protocol/transactions/transaction-type.ts";
import { sample } from "../../../support/builders/sample-transactions.ts";

const keyOf = (number: number): BytesKey => String(number) as BytesKey;

test("of big transactions only a few are cached, the most recently used", () => {
  const parsed = parsedTransactions();
  const big = sample(TransactionType.Data, { bytes: new Uint8Array(150_000) });
  for (let number = 0; number < 1_000; number++) {
    parsed.set(keyOf(number), big);
    expect(parsed.get(keyOf(0))).toBe(big);
  }
  const cached = Array.from({ length: 1_000 }, (_, number) => number).filter((number) => parsed.get(keyOf(number)));
  expect(cached).toContain(0);
  expect(cached).toContain(999);
  expect(cached.length).toBeLessThan(60);
});

test("a removed transaction is dropped", () => {
  const parsed = parsedTransactions();
  const big = sample(TransactionType.Data, { bytes: new Uint8Array(3_000_000) });
  for (const number of [1, 2, 3]) parsed.set(keyOf(number), big);
  for (const number of [1, 2, 3]) parsed.delete(keyOf(number));
  for (const number of [1, 2, 3]) expect(parsed.get(keyOf(number))).toBeUndefined();
});
