/** Requirements on a node at full load. */
import { percentile } from "./percentile.ts";

const bounds = {
  keyBlockMs: 2_000,
  /** Growth of the minimum in use after a garbage collection, from the second third of the time to the last. */
  liveGrowthMegabytes: 10,
  /** Growth of the process's maximum, from the second third of the time to the last. */
  residentGrowth: 0.15,
} as const;

export interface LoadMeasurements {
  /** Errors of failed requests, without expected refusals. */
  readonly errors: readonly string[];
  readonly hasCrashed: boolean;
  /** Delay from each key block's timestamp until it was read, ms. */
  readonly lateMs: readonly number[];
  /** The same delay without the time in which the runtime was runnable but had no core, ms. */
  readonly ownMs: readonly number[];
  /** Heap and buffers after garbage collections during the load, MB. */
  readonly liveMegabytes: readonly number[];
  /** Memory of the runtime's process, second by second, MB. */
  readonly residentMegabytes: readonly number[];
  /** Heap size at which the limit ended the isolate, MB; undefined if it did not. */
  readonly heapLimitMegabytes: number | undefined;
}

/** @returns a message for each violated requirement */
export function findViolations(measured: LoadMeasurements): readonly string[] {
  const { errors, hasCrashed, lateMs, ownMs, liveMegabytes, residentMegabytes, heapLimitMegabytes } = measured;
  const violations: string[] = [];
  if (errors.length > 0) violations.push(`errors, such as ${errors.slice(0, 3).join("; ")}`);
  if (hasCrashed) violations.push("the runtime crashed");
  const latestMs = percentile(lateMs, 0.99);
  if (latestMs === undefined) violations.push("no key block came");
  else if (latestMs >= bounds.keyBlockMs) {
    const own = percentile(ownMs, 0.99)?.toFixed(0);
    violations.push(`key blocks came ${latestMs.toFixed(0)} ms late, or ${own} ms without the wait for a core`);
  }
  const [liveBefore, live] = lastThirds(liveMegabytes);
  const liveGrowth = Math.min(...live) - Math.min(...liveBefore);
  if (liveBefore.length === 0) violations.push("what is in use was not seen");
  else if (liveGrowth > bounds.liveGrowthMegabytes)
    violations.push(`what is in use grew by ${liveGrowth.toFixed(1)} MB`);
  const [residentBefore, resident] = lastThirds(residentMegabytes);
  const growth = Math.max(...resident) / Math.max(...residentBefore) - 1;
  if (!(growth <= bounds.residentGrowth)) violations.push(`memory grew by ${(growth * 100).toFixed(0)} %`);
  if (heapLimitMegabytes === undefined && !hasCrashed) violations.push("the bound on the heap does not act");
  return violations;
}

function lastThirds(samples: readonly number[]): readonly [second: readonly number[], last: readonly number[]] {
  const third = Math.floor(samples.length / 3);
  return [samples.slice(third, 2 * third), samples.slice(2 * third)];
}
