/** Progress line of an import. */
import { durationText } from "../cli/duration-text.ts";

export interface ImportProgress {
  readonly height: number;
  /** Blocks applied since the import began. */
  readonly applied: number;
  readonly elapsedMs: number;
  /** Completed share of the work, above 0 and at most 1. */
  readonly share: number;
}

/** Prints progress lines at intervals. */
export interface ProgressReporter {
  report(line: () => string, progress: Pick<ImportProgress, "elapsedMs">): void;
  /** Ends the output. */
  end(): void;
}

/** Height, speed and time left, e.g. `height 12000, 4512 blocks/s, 7 s left`. */
export function progressLine({ height, applied, elapsedMs, share }: ImportProgress): string {
  const blocksPerSecond = Math.round(applied / Math.max(elapsedMs / 1000, 0.001));
  const leftMs = (elapsedMs * (1 - share)) / share;
  return `height ${height}, ${blocksPerSecond} blocks/s, ${durationText(leftMs)} left`;
}
