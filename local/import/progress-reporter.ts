/** Progress lines on the terminal, at intervals. */
import type { ProgressReporter } from "./progress.ts";

/** Time between two progress lines: a terminal rewrites one line, a file collects them all. */
const progressIntervalMs = process.stdout.isTTY ? 200 : 2_000;

export function progressReporter(): ProgressReporter {
  const isTerminal = process.stdout.isTTY;
  let shownMs = 0;
  return {
    report(line, { elapsedMs }) {
      if (elapsedMs - shownMs < progressIntervalMs && shownMs > 0) return;
      shownMs = elapsedMs;
      process.stdout.write(isTerminal ? `\r\x1b[2K${line()}` : `${line()}\n`);
    },
    end: () => void (isTerminal && shownMs > 0 && process.stdout.write("\r\x1b[2K")),
  };
}
