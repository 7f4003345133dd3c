/** Lines of progress on the terminal, now and then. */
import type { ProgressReporter } from "./progress.ts";

/** Between two progress lines: a terminal rewrites one line, a file keeps them all. */
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
