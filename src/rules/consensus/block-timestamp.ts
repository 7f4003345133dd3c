/**
 * Timestamps of blocks: earliest by the generator's delay, latest by the clock; and the miner's choice.
 * @source docs/protocol/consensus-and-finality.md 1.3; Waves: state/appender/package.scala, mining/Miner.scala
 */
import { decodeBase58 } from "../../crypto/base58.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import { I64_MAX } from "../../protocol/codec/i64.ts";

/** A block at least this far ahead of the clock is from the future. */
const maximumDriftMs = 100n;
/** Maximum age of a miner's timestamp. */
const maximumAgeMs = 60_000n;

/** Mainnet blocks that came too early and are in the chain: height of the parent, id. */
const acceptedEarlyBlocks: ReadonlyMap<number, Uint8Array> = new Map(
  [
    [812_608, "2GNCYVy7k3kEPXzz12saMtRDeXFKr8cymVsG8Yxx3sZZ75eHj9csfXnGHuuJe7XawbcwjKdifUrV1uMq4ZNCWPf1"] as const,
    [813_207, "5uZoDnRKeWZV9Thu2nvJVZ5dBvPB7k2gvpzFD618FMXCbBVBMN2rRyvKBZBhAGnGdgeh2LXEeSr9bJqruJxngsE7"] as const,
  ].map(([parentHeight, id]) => [parentHeight, decodeBase58(id)]),
);

/** Whether the rule of the earliest timestamp does not hold for a block. */
export function isAcceptedEarlyBlock(parentHeight: number, blockId: Uint8Array): boolean {
  const accepted = acceptedEarlyBlocks.get(parentHeight);
  return accepted !== undefined && equalBytes(accepted, blockId);
}

/**
 * Earliest timestamp of a block.
 * @param delayMs the highest i64: never. Other sums wrap around like 64-bit integers
 */
export function earliestTimestampMs(parentTimestampMs: bigint, delayMs: bigint): bigint {
  const sum = parentTimestampMs + delayMs;
  return delayMs === I64_MAX ? sum : BigInt.asIntN(64, sum);
}

/** First timestamp from the future. Such a block may become valid: it is postponed, and its sender not blacklisted. */
export function firstFutureTimestampMs(nowMs: bigint): bigint {
  return nowMs + maximumDriftMs;
}

/**
 * Timestamp of a block that a miner makes now; undefined before its earliest timestamp.
 * @param delayMs time after the parent at which it may sign
 */
export function minedTimestampMs(options: {
  readonly parentTimestampMs: bigint;
  readonly delayMs: bigint;
  readonly nowMs: bigint;
}): bigint | undefined {
  const earliest = earliestTimestampMs(options.parentTimestampMs, options.delayMs);
  const youngest = options.nowMs - maximumAgeMs;
  const timestampMs = earliest > youngest ? earliest : youngest;
  return timestampMs <= options.nowMs + maximumDriftMs ? timestampMs : undefined;
}
