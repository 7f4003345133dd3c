/**
 * Wakes the node once a minute, as a deployment's cron does, and more often while the runtime leaves work undone: a
 * failed alarm, on a full disk for instance, is retried after up to 17 minutes, or never. Reports when the node cannot
 * work, and when it works again.
 */

import type { BufferedLog } from "./buffered-log.ts";
import type { ChainOperator } from "./chain-operator.ts";

export interface WakeTimerOptions {
  readonly chain: Pick<ChainOperator, "wake">;
  /** Reason on this machine for which the node may be unable to work. */
  readonly findError: () => string | undefined;
  readonly notify: (sentence: string) => void;
  /** Log of the runtime: it is not shown while a message explains the error. */
  readonly log: Pick<BufferedLog, "startBuffering" | "drop" | "release">;
}

export interface WakeTimer {
  /** To be called when the runtime reports an error: the node is checked soon. */
  expedite(): void;
  stop(): void;
}

const INTERVAL_MS = 60_000;
/** Interval after an error report, and while the node cannot work. */
const SHORT_INTERVAL_MS = 3_000;

export function startWakeTimer({ chain, findError, notify, log }: WakeTimerOptions): WakeTimer {
  let isWorking = true;
  let sinceMs = 0;
  let isWaking = false;
  let isStopped = false;
  let wasOverdue = false;
  let hasComplaint = false;

  const wake = async (): Promise<void> => {
    isWaking = true;
    hasComplaint = false;
    sinceMs = 0;
    const outcome = await chain.wake().catch((error: Error) => error);
    if (isStopped) return;
    wasOverdue = outcome instanceof Error || outcome.wasOverdue;
    const known = findError();
    const fault = known ?? (outcome instanceof Error ? outcome.message : undefined);
    if (fault !== undefined && isWorking) notify(`The node cannot work: ${fault}. It goes on by itself once it can.`);
    if (fault === undefined && !isWorking) notify("The node works again.");
    isWorking = fault === undefined;
    if (known === undefined) log.release();
    else log.drop();
    isWaking = false;
  };
  const timer = setInterval(() => {
    sinceMs += SHORT_INTERVAL_MS;
    const isDue = hasComplaint || !isWorking || wasOverdue || sinceMs >= INTERVAL_MS;
    if (isDue && !isWaking) void wake();
  }, SHORT_INTERVAL_MS);
  return {
    expedite: () => {
      hasComplaint = true;
      log.startBuffering();
    },
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
