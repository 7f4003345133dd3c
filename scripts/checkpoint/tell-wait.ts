/** Telling what a call waits for that says nothing until it is over. */
import { setTimeout as pauseMs } from "node:timers/promises";
import type { ProgressReporter } from "../import/progress.ts";
import type { ChainOperator } from "../runner/chain-operator.ts";
import { publishingLine } from "./progress-lines.ts";

/** How often the chain is asked. */
const ASK_MS = 500;

/**
 * Waits for something, and tells meanwhile how far the read model is that is written first. What fails of that is for the call to say.
 * @param pause until the time is over, or the signal aborts it
 */
export async function tellWait<Value>(
  chain: Pick<ChainOperator, "status">,
  reporter: ProgressReporter,
  waited: Promise<Value>,
  pause: (signal: AbortSignal) => Promise<unknown> = (signal) => pauseMs(ASK_MS, undefined, { signal }),
): Promise<Value> {
  const over = new AbortController();
  const startedMs = performance.now();
  const tell = async (): Promise<void> => {
    let publishing: string | undefined;
    for (;;) {
      await pause(over.signal);
      const tables = publishing;
      reporter.report(() => publishingLine(tables), { elapsedMs: performance.now() - startedMs });
      // A chain that is at work may answer late.
      publishing = (await chain.status()).publishing;
    }
  };
  const told = tell().catch(() => {});
  try {
    return await waited;
  } finally {
    over.abort();
    await told;
  }
}
