/** Lines that tell how far a checkpoint is written or read. */
import { durationText } from "../cli/duration-text.ts";
import type { ReadingProgress } from "./read-checkpoint.ts";
import type { WritingProgress } from "./write-checkpoint.ts";

const MEGABYTE = 1_000_000;

/** E.g. `height 5000, 3 of 24 tables, 12000 rows, 1.2 MB`. How many rows there are, nobody has counted. */
export function writingLine({ height, tablesDone, tables, rows, sizeBytes }: WritingProgress): string {
  return `height ${height}, ${tablesDone} of ${tables} tables, ${rows} rows, ${(sizeBytes / MEGABYTE).toFixed(1)} MB`;
}

/** E.g. `30 of 120 parts, 9 s left`, and then what is verified. */
export function readingLine({ done, sent, parts, elapsedMs, verification }: ReadingProgress): string {
  if (verification !== undefined) return verification;
  const leftMs = (elapsedMs * (parts - done)) / Math.max(sent, 1);
  return `${done} of ${parts} parts, ${durationText(leftMs)} left`;
}
