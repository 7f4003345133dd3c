/** Shows on the terminal how far the node is, for as long as it is behind its peers: one line that changes, or lines for a file. */
import type { SyncProgress } from "../../src/env.ts";
import { SyncReporter } from "./sync-report.ts";

export interface SyncProgressFacts {
  readonly ask: () => Promise<SyncProgress>;
  readonly out: { readonly isTTY?: boolean; readonly write: (text: string) => unknown };
  /** By any clock. */
  readonly nowMs: () => number;
}

export interface ShownSync {
  /** Takes the line that changes away: something else is about to be written. */
  clear(): void;
  stop(): void;
}

/** While the node is behind, or has just started and may find out that it is. */
const SHORT_PAUSE_MS = 1_000;
const START_MS = 60_000;
const LONG_PAUSE_MS = 10_000;
/** Between two lines of a file. */
const LINE_INTERVAL_MS = 10_000;

export function showSync({ ask, out, nowMs }: SyncProgressFacts): ShownSync {
  const startedMs = nowMs();
  const reporter = new SyncReporter();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isLineShown = false;
  let saidMs = Number.NEGATIVE_INFINITY;

  const clear = (): void => {
    if (isLineShown) out.write("\r\x1b[2K");
    isLineShown = false;
  };
  const say = (line: string, isLast: boolean): void => {
    if (out.isTTY && !isLast) {
      out.write(`\r\x1b[2K${line}`);
      isLineShown = true;
    } else if (isLast || nowMs() - saidMs >= LINE_INTERVAL_MS) {
      clear();
      out.write(`${line}\n`);
      saidMs = isLast ? Number.NEGATIVE_INFINITY : nowMs();
    }
  };
  const look = async (): Promise<void> => {
    // A runtime that is started again answers a moment later.
    const progress = await ask().catch(() => undefined);
    if (isStopped) return;
    const report = progress && reporter.report({ ...progress, timeMs: nowMs() });
    if (report !== undefined) say(report.line, report.kind === "caughtUp");
    const isBusy = report?.kind === "behind" || nowMs() - startedMs < START_MS;
    timer = setTimeout(() => void look(), isBusy ? SHORT_PAUSE_MS : LONG_PAUSE_MS);
  };
  void look();
  return {
    clear,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      clear();
    },
  };
}
