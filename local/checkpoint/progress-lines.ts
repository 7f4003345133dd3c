/** Progress lines of writing or reading a checkpoint. */
import { durationText } from "../cli/duration-text.ts";
import type { ReadingProgress, ReadResult } from "./read-checkpoint.ts";
import type { WriteResult, WritingProgress } from "./write-checkpoint.ts";

const MEGABYTE = 1_000_000;

/** E.g. `height 5000, 3 of 24 tables, 12000 rows, 1.2 MB`. The total of rows is unknown. */
export function writingLine({ height, tablesDone, tables, rows, sizeBytes }: WritingProgress): string {
  return `height ${height}, ${tablesDone} of ${tables} tables, ${rows} rows, ${(sizeBytes / MEGABYTE).toFixed(1)} MB`;
}

/** E.g. `the read model is written first: 3 of 20 tables`. @param tables undefined: not known yet */
export function publishingLine(tables: string | undefined): string {
  return `the read model is written first${tables === undefined ? "" : `: ${tables}`}`;
}

/** Last line of an export. */
export function writtenLine({ height, firstHeight, rows, sizeBytes, digest, state }: WriteResult): string {
  return `wrote the checkpoint of height ${height}, blocks from ${firstHeight} on: ${rows} rows, ${sizeBytes} bytes, digest ${digest}, state ${state}\n`;
}

/** Last line of an import. */
export function begunLine({ height, firstHeight, digest, state }: ReadResult): string {
  return `began with the checkpoint of height ${height}, blocks from ${firstHeight} on, digest ${digest}, state ${state}\n`;
}

/** E.g. `30 of 120 parts, 9 s left`, then the progress of the verification. */
export function readingLine({ done, sent, parts, elapsedMs, verification }: ReadingProgress): string {
  if (verification !== undefined) return verification;
  const leftMs = (elapsedMs * (parts - done)) / Math.max(sent, 1);
  return `${done} of ${parts} parts, ${durationText(leftMs)} left`;
}
