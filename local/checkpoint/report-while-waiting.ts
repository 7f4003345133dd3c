/** Progress of the publication that a call waits for. */
import { setTimeout as pauseMs } from "node:timers/promises";
import type { ProgressReporter } from "../import/progress.ts";
import type { ChainOperator } from "../runtime/chain-operator.ts";
import { publishingLine } from "./progress-lines.ts";

/** Interval between status requests. */
const POLL_MS = 500;

/**
 * Waits for a call, and meanwhile reports the progress of publishing the read model, which comes first. Errors of the
 * status requests are ignored; the call throws its own.
 * @param pause resolves at the next interval, or rejects when the signal aborts it
 */
export async function reportWhileWaiting<Value>(
  chain: Pick<ChainOperator, "status">,
  reporter: ProgressReporter,
  waited: Promise<Value>,
  pause: (signal: AbortSignal) => Promise<unknown> = (signal) => pauseMs(POLL_MS, undefined, { signal }),
): Promise<Value> {
  const over = new AbortController();
  const startedMs = performance.now();
  const poll = async (): Promise<void> => {
    let publishing: string | undefined;
    for (;;) {
      await pause(over.signal);
      const tables = publishing;
      reporter.report(() => publishingLine(tables), { elapsedMs: performance.now() - startedMs });
      // Requested after the report: a busy chain may respond late.
      publishing = (await chain.status()).publishing;
    }
  };
  const polling = poll().catch(() => {});
  try {
    return await waited;
  } finally {
    over.abort();
    await polling;
  }
}
