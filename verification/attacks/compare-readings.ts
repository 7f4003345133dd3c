/** Whether reads, blocks and memory fare as well under an attack as without it. */
import type { NodeMemory } from "./process-memory.ts";

export interface Reading {
  /** Of each read, ms. */
  readonly waitsMs: readonly number[];
  /** Reads without an answer of status 200. */
  readonly failed: number;
  /** How long after its date each key block was seen, ms. */
  readonly latenessMs: readonly number[];
  /** The longest time between two answers that the node is healthy, or up to the end, ms. */
  readonly longestSilenceMs: number;
  /** Time between key blocks, ms. */
  readonly blockMs: number;
}

/** How much longer reads may wait than under the honest load. */
const MAX_RATIO = 2;
/**
 * How much longer half of them may wait than on a node that nobody else asks anything, where an honest load is the measure: the
 * slowest hundredth waits for a call that somebody has paid for.
 */
const MAX_QUIET_RATIO = 10;
/** Below that nobody waits. */
const SHORT_MS = 100;
/** Fewer reads tell nothing of the slowest hundredth. */
const MIN_READS = 200;
const MAX_SILENCE_MS = 5_000;
/** What requests under way and an isolate that collects late may take beyond the memory at rest. */
const MAX_GROWTH_BYTES: NodeMemory = { runtimeBytes: 256 * 2 ** 20, runnerBytes: 192 * 2 ** 20 };
/** Parts of the reads by which times are compared. */
const PARTS = { p50: 0.5, p99: 0.99 } as const;

/** The time within which so large a part of the reads was answered. @param part 0.99: all but a hundredth */
export function quantile(waitsMs: readonly number[], part: number): number {
  const sorted = waitsMs.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Blocks that came later than the next one was due. */
export function missedBlocks({ latenessMs, blockMs }: Reading): number {
  return latenessMs.filter((ms) => ms > blockMs).length;
}

/**
 * What is worse under the attack than it may be, a sentence each.
 * @param honest under as many honest requests; undefined: nothing is compared with it
 * @param quiet the same reads on a node that has nothing else to do
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

/** @param before at rest. @param most under the attack */
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
