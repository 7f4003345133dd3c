/** Comparison of reads, blocks and memory under an attack with those without it. */
import type { NodeMemory } from "./process-memory.ts";

export interface Reading {
  /** Response times of the reads, ms. */
  readonly waitsMs: readonly number[];
  /** Number of reads without a response of status 200. */
  readonly failed: number;
  /** Delay of each key block between its timestamp and its arrival at the reader, ms. */
  readonly latenessMs: readonly number[];
  /** Longest time between two responses that the node is healthy, or until the end, ms. */
  readonly longestSilenceMs: number;
  /** Block time, ms. */
  readonly blockMs: number;
}

/** Maximum ratio of response times to those under the honest load. */
const MAX_RATIO = 2;
/**
 * Maximum ratio of the median to that of an otherwise idle node, for attacks with an honest load: their slowest
 * hundredth may wait for a call that its sender has paid for.
 */
const MAX_QUIET_RATIO = 10;
/** Response times below this are not compared, ms. */
const SHORT_MS = 100;
/** Minimum number of reads: fewer give no reliable slowest hundredth. */
const MIN_READS = 200;
const MAX_SILENCE_MS = 5_000;
/** Growth over the memory at rest, for requests in progress and an isolate that collects garbage late. */
const MAX_GROWTH_BYTES: NodeMemory = { runtimeBytes: 256 * 2 ** 20, runnerBytes: 192 * 2 ** 20 };
/** Quantiles of the response times that are compared. */
const PARTS = { p50: 0.5, p99: 0.99 } as const;

/** Time within which this part of the reads got a response, ms. @param part 0.99: all except a hundredth */
export function quantile(waitsMs: readonly number[], part: number): number {
  const sorted = waitsMs.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Number of blocks that came after the next one was due. */
export function missedBlocks({ latenessMs, blockMs }: Reading): number {
  return latenessMs.filter((ms) => ms > blockMs).length;
}

/**
 * Regressions under the attack, a message each.
 * @param honest under as many honest requests; undefined: there is no honest load to compare with
 * @param quiet the same reads on an otherwise idle node
 */
export function findRegressions(hostile: Reading, honest: Reading | undefined, quiet: Reading): readonly string[] {
  const usual = honest ?? quiet;
  const when = honest === undefined ? "without it" : "under the honest load";
  const faults = [
    ...findWaitRegressions(hostile, usual, "p50", when),
    ...findWaitRegressions(hostile, usual, "p99", when),
  ];
  if (honest !== undefined)
    faults.push(...findWaitRegressions(hostile, quiet, "p50", "without any load", MAX_QUIET_RATIO));
  for (const { waitsMs } of [hostile, quiet])
    if (waitsMs.length < MIN_READS) faults.push(`${waitsMs.length} reads are too few: at least ${MIN_READS}`);
  if (hostile.longestSilenceMs > MAX_SILENCE_MS)
    faults.push(`the node did not say for ${Math.round(hostile.longestSilenceMs)} ms that it is healthy`);
  if (missedBlocks(hostile) > missedBlocks(usual)) faults.push(`${missedBlocks(hostile)} blocks were missed`);
  if (hostile.failed > usual.failed) faults.push(`${hostile.failed} reads failed`);
  return faults;
}

/** @param before at rest @param most maximum under the attack */
export function findMemoryRegressions(before: NodeMemory, most: NodeMemory): readonly string[] {
  const faults: string[] = [];
  for (const [kind, name] of [
    ["runtimeBytes", "runtime"],
    ["runnerBytes", "front server"],
  ] as const) {
    const growthBytes = most[kind] - before[kind];
    if (growthBytes > MAX_GROWTH_BYTES[kind]) faults.push(`the ${name} takes ${mebibytes(growthBytes)} MiB more`);
  }
  return faults;
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

function findWaitRegressions(
  hostile: Reading,
  usual: Reading,
  name: keyof typeof PARTS,
  when: string,
  ratio = MAX_RATIO,
): readonly string[] {
  const [attackedMs, usualMs] = [quantile(hostile.waitsMs, PARTS[name]), quantile(usual.waitsMs, PARTS[name])];
  return attackedMs > ratio * Math.max(usualMs, SHORT_MS)
    ? [`reads wait ${Math.round(attackedMs)} ms (${name}), ${Math.round(usualMs)} ms ${when}`]
    : [];
}
