/** Whether reads and blocks fare as well under an attack as under honest requests. */
export interface Reading {
  /** Of each read, ms. */
  readonly waitsMs: readonly number[];
  /** Reads without an answer of status 200. */
  readonly failed: number;
  /** How long after its date each key block was seen, ms. */
  readonly latenessMs: readonly number[];
  /** Time between key blocks, ms. */
  readonly blockMs: number;
}

/** How much longer reads may wait. */
const MAX_RATIO = 2;
/** Below that nobody waits. */
const SHORT_MS = 100;

/** The time within which so large a part of the reads was answered. @param part 0.99: all but a hundredth */
export function quantile(waitsMs: readonly number[], part: number): number {
  const sorted = waitsMs.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Blocks that came later than the next one was due. */
export function missedBlocks({ latenessMs, blockMs }: Reading): number {
  return latenessMs.filter((ms) => ms > blockMs).length;
}

/** What is worse under the attack than it may be, a sentence each. */
export function faultsOf(hostile: Reading, honest: Reading): readonly string[] {
  const faults: string[] = [];
  const [attackedMs, usualMs] = [quantile(hostile.waitsMs, 0.99), quantile(honest.waitsMs, 0.99)];
  if (attackedMs > MAX_RATIO * Math.max(usualMs, SHORT_MS))
    faults.push(`reads wait ${Math.round(attackedMs)} ms (p99), ${Math.round(usualMs)} ms under the honest load`);
  if (missedBlocks(hostile) > missedBlocks(honest)) faults.push(`${missedBlocks(hostile)} blocks were missed`);
  if (hostile.failed > honest.failed) faults.push(`${hostile.failed} reads failed`);
  return faults;
}
