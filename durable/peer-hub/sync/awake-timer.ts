/**
 * Timeouts for peers. While this process is busy it reads nothing, and when a timer is due, messages may still be
 * unread: only time in which this process ran counts.
 */
import type { Cancel, Timers } from "../connection.ts";

const CHUNK_MS = 5_000;

/** Like `Timers.after`; a time in which no timer ran counts as one interval of `CHUNK_MS` at most. */
export function afterAwake(timers: Timers, delayMs: number, run: () => void): Cancel {
  const chunkMs = Math.min(delayMs, CHUNK_MS);
  let cancel = timers.after(chunkMs, () => {
    if (chunkMs === delayMs) run();
    else cancel = afterAwake(timers, delayMs - chunkMs, run);
  });
  return () => cancel();
}
