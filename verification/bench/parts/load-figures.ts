/** Figures of repeated loads, for a table. */
import { percentile } from "./percentile.ts";
import type { LoadResult } from "./request-load.ts";

/** A load and its processor time. */
export interface MeasuredLoad extends LoadResult {
  /** Processor time of the server with all other work of its processes; undefined when unknown. */
  readonly processorSeconds?: number | undefined;
}

/** Medians of the repetitions, unless a member says otherwise. */
export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time a response over all repetitions, microseconds; NaN when unknown. */
  readonly processorMicros: number;
  /** Sum over all repetitions. */
  readonly errors: number;
}

export function figuresOf(outcomes: readonly MeasuredLoad[]): LoadFigures {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const median = (values: readonly number[]): number => percentile(values, 0.5) ?? Number.NaN;
  return {
    perSecond: median(outcomes.map(({ responses, seconds }) => responses / seconds)),
    p50Ms: median(outcomes.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(outcomes.map(({ p99Ms }) => p99Ms)),
    // The system counts in steps of 10 ms: too coarse for one repetition.
    processorMicros:
      (1e6 * sum(outcomes.map(({ processorSeconds = Number.NaN }) => processorSeconds))) /
      sum(outcomes.map(({ responses }) => responses)),
    errors: sum(outcomes.map(({ errors }) => errors)),
  };
}

/** Requests a second, p50 and p99. */
export function figureCells(figures: LoadFigures): string[] {
  return [rateCell(figures), cell(figures.p50Ms, 2), cell(figures.p99Ms, 2)];
}

/** Requests a second, marked `!` after errors. */
export function rateCell({ perSecond, errors }: LoadFigures): string {
  return `${perSecond.toFixed(0)}${errors > 0 ? "!" : ""}`;
}

export function processorCell({ processorMicros }: LoadFigures): string {
  return cell(processorMicros, 0);
}

export function ratioCell(ours: LoadFigures, other: LoadFigures): string {
  return cell(ours.perSecond / other.perSecond, 2);
}

/** NaN, of no responses, becomes `-`. */
function cell(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "-";
}
