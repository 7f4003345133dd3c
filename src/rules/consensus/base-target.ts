/**
 * Base target: difficulty of the chain, raised when blocks come too slowly and lowered when they come too fast.
 * @source docs/protocol/consensus-and-finality.md 1.4; Waves: consensus/PoSCalculator.scala calculateBaseTarget
 */
import { I64_MAX } from "../../protocol/codec/i64.ts";
import type { FairPos, PosAlgorithm } from "./pos-algorithm.ts";
import { truncateToI64 } from "./truncate-to-i64.ts";

const minimumBaseTarget = 9n;

export interface BaseTargetOptions {
  readonly averageBlockDelayMs: number;
  readonly parentHeight: number;
  readonly parentBaseTarget: bigint;
  readonly parentTimestampMs: bigint;
  /** Timestamp at height `parentHeight - 2`; undefined in a shorter chain. */
  readonly greatGrandparentTimestampMs: bigint | undefined;
  /** Timestamp of the new block. */
  readonly timestampMs: bigint;
}

/** Scales a delay for blocks of 60 s to the average delay of the network. */
const normalize = (seconds: number, averageSeconds: number): number => (seconds * averageSeconds) / 60;

function nxtBaseTarget(options: BaseTargetOptions): bigint {
  const { parentHeight, parentBaseTarget, parentTimestampMs, greatGrandparentTimestampMs, timestampMs } = options;
  if (parentHeight % 2 !== 0) return parentBaseTarget;

  const average = Math.floor(options.averageBlockDelayMs / 1_000);
  const spanMs =
    greatGrandparentTimestampMs === undefined
      ? timestampMs - parentTimestampMs
      : (timestampMs - greatGrandparentTimestampMs) / 3n;
  const mean = Number(spanMs / 1_000n);
  const parent = Number(parentBaseTarget);
  const target =
    mean > average
      ? (parent * Math.min(mean, normalize(67, average))) / average
      : parent -
        (parent * normalize(64, average) * (average - Math.max(mean, normalize(53, average)))) / (average * 100);

  const truncated = truncateToI64(target);
  const maximum = I64_MAX / BigInt(Math.max(average, 1));
  if (truncated < minimumBaseTarget) return minimumBaseTarget;
  return truncated > maximum ? maximum : truncated;
}

function fairPosBaseTarget(algorithm: FairPos, options: BaseTargetOptions): bigint {
  const { parentBaseTarget, greatGrandparentTimestampMs, timestampMs } = options;
  if (greatGrandparentTimestampMs === undefined) return parentBaseTarget;

  const average = Math.floor(options.averageBlockDelayMs / 1_000);
  const mean = Number((timestampMs - greatGrandparentTimestampMs) / 3n / 1_000n);
  const percent = parentBaseTarget / 100n;
  const step = percent > 1n ? percent : 1n;
  if (mean > normalize(90 - algorithm.delayDelta, average)) {
    const raised = parentBaseTarget + step;
    return raised > I64_MAX ? I64_MAX : raised;
  }
  if (mean < normalize(30 + algorithm.delayDelta, average)) {
    const lowered = parentBaseTarget - step;
    return lowered < 1n ? 1n : lowered;
  }
  return parentBaseTarget;
}

/** Required base target of the block after the parent. */
export function nextBaseTarget(algorithm: PosAlgorithm, options: BaseTargetOptions): bigint {
  return algorithm.kind === "nxt" ? nxtBaseTarget(options) : fairPosBaseTarget(algorithm, options);
}
