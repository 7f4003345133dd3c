/**
 * Progress display while the node is behind its peers: one changing line on a terminal, or separate lines in a file.
 */
import type { SyncProgress } from "../../src/env.ts";
import { SyncReporter } from "./sync-report.ts";

export interface SyncProgressOptions {
  readonly fetchProgress: () => Promise<SyncProgress>;
  readonly out: { readonly isTTY?: boolean; readonly write: (text: string) => unknown };
  /** Any clock. */
  readonly nowMs: () => number;
}

export interface SyncDisplay {
  /** Removes the changing line before other output. */
  clear(): void;
  stop(): void;
}

/** Pause between checks while the node is behind, or has just started and may turn out to be behind. */
const SHORT_PAUSE_MS = 1_000;
const START_MS = 60_000;
const LONG_PAUSE_MS = 10_000;
/** Time between two lines in a file. */
const LINE_INTERVAL_MS = 10_000;

export function showSync({ fetchProgress, out, nowMs }: SyncProgressOptions): SyncDisplay {
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
    // A restarting runtime responds a moment later.
    const progress = await fetchProgress().catch(() => undefined);
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
