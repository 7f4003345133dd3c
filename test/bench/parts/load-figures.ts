/** What a table shows of loads that were repeated. */
import { percentile } from "./percentile.ts";
import type { LoadOutcome } from "./request-load.ts";

/** A load, and what it took. */
export interface MeasuredLoad extends LoadOutcome {
  /** Processor time of who answered, with all that its processes did beside; undefined where it is not known. */
  readonly processorSeconds?: number | undefined;
}

/** Medians of the repetitions. */
export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time an answer, microseconds; NaN where it is not known. */
  readonly processorMicros: number;
  /** Of all repetitions. */
  readonly errors: number;
}

export function figuresOf(outcomes: readonly MeasuredLoad[]): LoadFigures {
  const median = (values: readonly number[]): number => percentile(values, 0.5) ?? Number.NaN;
  return {
    perSecond: median(outcomes.map(({ answers, seconds }) => answers / seconds)),
    p50Ms: median(outcomes.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(outcomes.map(({ p99Ms }) => p99Ms)),
    processorMicros: median(
      outcomes.map(({ answers, processorSeconds = Number.NaN }) => (processorSeconds * 1e6) / answers),
    ),
    errors: outcomes.reduce((sum, { errors }) => sum + errors, 0),
  };
}

/** Requests a second, p50 and p99. */
export function figureCells(figures: LoadFigures): string[] {
  return [rateCell(figures), figures.p50Ms.toFixed(2), figures.p99Ms.toFixed(2)];
}

/** Requests a second, with a mark where some failed. */
export function rateCell({ perSecond, errors }: LoadFigures): string {
  return `${perSecond.toFixed(0)}${errors > 0 ? "!" : ""}`;
}

export function processorCell({ processorMicros }: LoadFigures): string {
  return processorMicros.toFixed(0);
}

export function ratioCell(ours: LoadFigures, other: LoadFigures): string {
  return (ours.perSecond / other.perSecond).toFixed(2);
}
