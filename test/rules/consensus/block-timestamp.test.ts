import { describe, expect, test } from "vitest";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import {
  earliestTimestampMs,
  firstFutureTimestampMs,
  isAcceptedEarlyBlock,
  minedTimestampMs,
} from "../../../src/rules/consensus/block-timestamp.ts";

test("a block is from the future from 100 ms ahead of the clock on", () => {
  expect(firstFutureTimestampMs(1_000n)).toBe(1_100n);
});

test("two early blocks of mainnet are accepted, each after its own parent only", () => {
  const first = decodeBase58(
    "2GNCYVy7k3kEPXzz12saMtRDeXFKr8cymVsG8Yxx3sZZ75eHj9csfXnGHuuJe7XawbcwjKdifUrV1uMq4ZNCWPf1",
  );
  const second = decodeBase58(
    "5uZoDnRKeWZV9Thu2nvJVZ5dBvPB7k2gvpzFD618FMXCbBVBMN2rRyvKBZBhAGnGdgeh2LXEeSr9bJqruJxngsE7",
  );
  expect(isAcceptedEarlyBlock(812_608, first)).toBe(true);
  expect(isAcceptedEarlyBlock(813_207, second)).toBe(true);
  expect(isAcceptedEarlyBlock(812_608, second)).toBe(false);
  expect(isAcceptedEarlyBlock(812_609, first)).toBe(false);
});

test("the earliest timestamp is a 64-bit sum, except that never stays never", () => {
  expect(earliestTimestampMs(1_000n, 5n)).toBe(1_005n);
  expect(earliestTimestampMs(1_000n, 2n ** 63n - 2n)).toBe(-(2n ** 63n) + 998n);
  expect(earliestTimestampMs(1_000n, 2n ** 63n - 1n)).toBe(2n ** 63n + 999n);
});

describe("the timestamp of a mined block", () => {
  const parentTimestampMs = 1_000_000n;

  test("is the parent's plus the delay", () => {
    expect(minedTimestampMs({ parentTimestampMs, delayMs: 5_000n, nowMs: 1_005_000n })).toBe(1_005_000n);
    expect(minedTimestampMs({ parentTimestampMs, delayMs: 5_000n, nowMs: 1_060_000n })).toBe(1_005_000n);
  });

  test("may be 100 ms ahead of the clock and not more", () => {
    expect(minedTimestampMs({ parentTimestampMs, delayMs: 5_000n, nowMs: 1_004_900n })).toBe(1_005_000n);
    expect(minedTimestampMs({ parentTimestampMs, delayMs: 5_000n, nowMs: 1_004_899n })).toBeUndefined();
  });

  test("is not further back than a minute", () => {
    expect(minedTimestampMs({ parentTimestampMs, delayMs: 5_000n, nowMs: 1_070_000n })).toBe(1_010_000n);
  });
});
