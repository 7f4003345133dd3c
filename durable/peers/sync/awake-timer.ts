/**
 * Timers for what others have to do in time. While this process is busy it hears nobody, and all that was sent is still to be read
 * when the timer is due: only time in which it was awake counts against them.
 */
import type { Cancel, Timers } from "../connection.ts";

const PIECE_MS = 5_000;

/** As `Timers.after`; of a time in which no timer ran a piece counts. */
export function afterAwake(timers: Timers, delayMs: number, run: () => void): Cancel {
  const pieceMs = Math.min(delayMs, PIECE_MS);
  let cancel = timers.after(pieceMs, () => {
    if (pieceMs === delayMs) run();
    else cancel = afterAwake(timers, delayMs - pieceMs, run);
  });
  return () => cancel();
}
