/** What must hold of a node under full load. */
import { percentile } from "./percentile.ts";

const bounds = {
  keyBlockMs: 2_000,
  /** Of the least that is in use after a garbage collection, from the second third of the time to the last. */
  liveGrowthMegabytes: 10,
  /** Of the most that the process had, from the second third of the time to the last. */
  residentGrowth: 0.15,
} as const;

export interface LoadFacts {
  /** Of requests that failed; a refusal that was to be expected is none. */
  readonly errors: readonly string[];
  readonly hasCrashed: boolean;
  /** How much later than its timestamp each key block was read, ms. */
  readonly lateMs: readonly number[];
  /** The same less the time for which the runtime could have run and had no core, ms. */
  readonly ownMs: readonly number[];
  /** On the heap and in buffers after garbage collections in the course of the load, MB. */
  readonly liveMegabytes: readonly number[];
  /** Of the runtime's process, second by second, MB. */
  readonly residentMegabytes: readonly number[];
  /** Where the heap's bound ended the isolate, MB; undefined where it did not. */
  readonly heapLimitMegabytes: number | undefined;
}

/** @returns a sentence for each thing that does not hold */
export function faultsOf(facts: LoadFacts): readonly string[] {
  const { errors, hasCrashed, lateMs, ownMs, liveMegabytes, residentMegabytes, heapLimitMegabytes } = facts;
  const faults: string[] = [];
  if (errors.length > 0) faults.push(`errors, such as ${errors.slice(0, 3).join("; ")}`);
  if (hasCrashed) faults.push("the runtime crashed");
  const latestMs = percentile(lateMs, 0.99);
  if (latestMs === undefined) faults.push("no key block came");
  else if (latestMs >= bounds.keyBlockMs) {
    const own = percentile(ownMs, 0.99)?.toFixed(0);
    faults.push(`key blocks came ${latestMs.toFixed(0)} ms late, or ${own} ms without the wait for a core`);
  }
  const [liveBefore, live] = lastThirds(liveMegabytes);
  const liveGrowth = Math.min(...live) - Math.min(...liveBefore);
  if (liveBefore.length === 0) faults.push("what is in use was not seen");
  else if (liveGrowth > bounds.liveGrowthMegabytes) faults.push(`what is in use grew by ${liveGrowth.toFixed(1)} MB`);
  const [residentBefore, resident] = lastThirds(residentMegabytes);
  const growth = Math.max(...resident) / Math.max(...residentBefore) - 1;
  if (!(growth <= bounds.residentGrowth)) faults.push(`memory grew by ${(growth * 100).toFixed(0)} %`);
  if (heapLimitMegabytes === undefined && !hasCrashed) faults.push("the bound on the heap does not act");
  return faults;
}

function lastThirds(samples: readonly number[]): readonly [second: readonly number[], last: readonly number[]] {
  const third = Math.floor(samples.length / 3);
  return [samples.slice(third, 2 * third), samples.slice(2 * third)];
}
