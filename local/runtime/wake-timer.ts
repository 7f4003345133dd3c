/**
 * Wakes the node once a minute, as the cron of a deployment does, and soon again for as long as the runtime leaves work
 * undone: an alarm that has failed, on a full disk for instance, is tried again after up to 17 minutes, or never. Says when
 * the node cannot work, and when it goes on.
 */

import type { HeldLog } from "./buffered-log.ts";
import type { ChainOperator } from "./chain-operator.ts";

export interface AwakeFacts {
  readonly chain: Pick<ChainOperator, "wake">;
  /** Why the node may be unable to work, as far as this machine shows it. */
  readonly findFault: () => string | undefined;
  readonly say: (sentence: string) => void;
  /** The runtime's: it is not shown while a sentence says what is wrong. */
  readonly log: Pick<HeldLog, "hold" | "drop" | "release">;
}

export interface KeptAwake {
  /** The runtime is about to complain of something: the node is looked at soon. */
  complained(): void;
  stop(): void;
}

const INTERVAL_MS = 60_000;
/** After a complaint, and while the node cannot work. */
const SHORT_INTERVAL_MS = 3_000;

export function keepAwake({ chain, findFault, say, log }: AwakeFacts): KeptAwake {
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
    const known = findFault();
    const fault = known ?? (outcome instanceof Error ? outcome.message : undefined);
    if (fault !== undefined && isWorking) say(`The node cannot work: ${fault}. It goes on by itself once it can.`);
    if (fault === undefined && !isWorking) say("The node works again.");
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
    complained: () => {
      hasComplaint = true;
      log.hold();
    },
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
