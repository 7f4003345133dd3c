/**
 * Time after the parent at which a generator may sign the next block.
 * @source docs/protocol/consensus-and-finality.md 1.3; Waves: consensus/PoSCalculator.scala calculateDelay
 */

import { I64_MAX } from "../../protocol/codec/i64.ts";
import { decimalQuotient, roundToPrecision } from "./decimal-quotient.ts";
import { maximumHit } from "./hit.ts";
import { naturalLogarithm } from "./natural-logarithm.ts";
import type { FairPos, PosAlgorithm } from "./pos-algorithm.ts";
import { truncateToI64 } from "./truncate-to-i64.ts";

/** Spread of the delays, ms. */
export const DELAY_SPREAD_MS = 70_000;
/** Factor between base target times balance (wavelets) and the delay. */
export const STAKE_SCALE = 5e17;

export interface BlockDelayOptions {
  /** First 8 bytes of the hit source, little-endian. */
  readonly hit: bigint;
  /** Base target of the parent. */
  readonly baseTarget: bigint;
  /** Wavelets. */
  readonly generatingBalance: bigint;
}

function nxtDelayMs({ hit, baseTarget, generatingBalance }: BlockDelayOptions): bigint {
  const seconds = Math.ceil(decimalQuotient(hit, roundToPrecision(baseTarget * generatingBalance)));
  // Wrapped to a 64-bit integer, like in the reference: the delay of a very small balance overflows.
  return BigInt.asIntN(64, truncateToI64(seconds) * 1_000n);
}

function fairPosDelayMs(algorithm: FairPos, { hit, baseTarget, generatingBalance }: BlockDelayOptions): bigint {
  const share = decimalQuotient(hit, maximumHit);
  // In this order: each operation rounds, and another order would give another result.
  const weight = (STAKE_SCALE * naturalLogarithm(share)) / Number(baseTarget) / Number(generatingBalance);
  return truncateToI64(algorithm.minBlockTimeMs + DELAY_SPREAD_MS * naturalLogarithm(1 - weight));
}

/**
 * Time after the parent's timestamp at which the generator may sign the next block.
 * @returns milliseconds; the highest i64 for a generator without a balance, who may never sign; below 0 where the delay
 *   of NXT wraps around
 */
export function blockDelayMs(algorithm: PosAlgorithm, options: BlockDelayOptions): bigint {
  if (options.generatingBalance <= 0n || options.baseTarget <= 0n) return I64_MAX;
  return algorithm.kind === "nxt" ? nxtDelayMs(options) : fairPosDelayMs(algorithm, options);
}
