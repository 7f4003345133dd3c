/**
 * When a block may be: not before its generator's turn, not from the future; and when a miner makes one.
 * @source docs/protocol/consensus-and-finality.md 1.3; Waves: state/appender/package.scala, mining/Miner.scala
 */
import { decodeBase58 } from "../../crypto/base58.ts";
import { equalBytes } from "../../crypto/bytes.ts";

/** A block this far ahead of the clock is from the future. */
const maximumDriftMs = 100n;
/** A miner does not date a block further back than this. */
const maximumAgeMs = 60_000n;

/** Blocks of mainnet that came too early and stand: height of the parent, id. */
const acceptedEarlyBlocks: ReadonlyMap<number, Uint8Array> = new Map(
  [
    [812_608, "2GNCYVy7k3kEPXzz12saMtRDeXFKr8cymVsG8Yxx3sZZ75eHj9csfXnGHuuJe7XawbcwjKdifUrV1uMq4ZNCWPf1"] as const,
    [813_207, "5uZoDnRKeWZV9Thu2nvJVZ5dBvPB7k2gvpzFD618FMXCbBVBMN2rRyvKBZBhAGnGdgeh2LXEeSr9bJqruJxngsE7"] as const,
  ].map(([parentHeight, id]) => [parentHeight, decodeBase58(id)]),
);

/** Whether the rule of the earliest timestamp is waived for a block. */
export function isAcceptedEarlyBlock(parentHeight: number, blockId: Uint8Array): boolean {
  const accepted = acceptedEarlyBlocks.get(parentHeight);
  return accepted !== undefined && equalBytes(accepted, blockId);
}

/** The first timestamp that is from the future; such a block may be right later, so it is put off, not banned. */
export function firstFutureTimestampMs(nowMs: bigint): bigint {
  return nowMs + maximumDriftMs;
}

/**
 * Timestamp of a block that a miner makes now, or undefined when its turn has not come.
 * @param delayMs time after the parent at which it may sign
 */
export function minedTimestampMs(facts: {
  readonly parentTimestampMs: bigint;
  readonly delayMs: bigint;
  readonly nowMs: bigint;
}): bigint | undefined {
  const earliest = facts.parentTimestampMs + facts.delayMs;
  const youngest = facts.nowMs - maximumAgeMs;
  const timestampMs = earliest > youngest ? earliest : youngest;
  return timestampMs <= facts.nowMs + maximumDriftMs ? timestampMs : undefined;
}
