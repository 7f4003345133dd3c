/**
 * Wakes the node once a minute, as the cron of a deployment does: an alarm that failed six times, on a full disk for
 * instance, is not tried again by the runtime. Says when the node cannot work, and when it goes on.
 */
import type { ChainOperator } from "./chain-operator.ts";

export interface AwakeFacts {
  readonly chain: Pick<ChainOperator, "wake">;
  /** Why the node may be unable to work, as far as this machine shows it. */
  readonly findFault: () => string | undefined;
  readonly say: (sentence: string) => void;
}

export interface KeptAwake {
  /** Something was complained of: the node is looked at soon. */
  complained(): void;
  stop(): void;
}

const INTERVAL_MS = 60_000;
/** After a complaint, and while the node cannot work. */
const SHORT_INTERVAL_MS = 3_000;

export function keepAwake({ chain, findFault, say }: AwakeFacts): KeptAwake {
  let isWorking = true;
  let sinceMs = 0;
  let isWaking = false;
  let hasComplaint = false;

  const faultOfWaking = async (): Promise<string | undefined> => {
    try {
      await chain.wake();
      return findFault();
    } catch (error) {
      return findFault() ?? (error as Error).message;
    }
  };
  const wake = async (): Promise<void> => {
    isWaking = true;
    const fault = await faultOfWaking();
    isWaking = false;
    if (fault !== undefined && isWorking) say(`The node cannot work: ${fault}. It goes on by itself once it can.`);
    if (fault === undefined && !isWorking) say("The node works again.");
    isWorking = fault === undefined;
    sinceMs = 0;
    hasComplaint = false;
  };
  const timer = setInterval(() => {
    sinceMs += SHORT_INTERVAL_MS;
    const isDue = hasComplaint || !isWorking || sinceMs >= INTERVAL_MS;
    if (isDue && !isWaking) void wake();
  }, SHORT_INTERVAL_MS);
  return {
    complained: () => {
      hasComplaint = true;
    },
    stop: () => clearInterval(timer),
  };
}
