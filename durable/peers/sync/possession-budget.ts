/**
 * How many proofs of possession are verified for peers, beside the chain. Each takes forty milliseconds where a signature takes a tenth of
 * one, and whoever has no WAVES makes as many commitments as he likes. The chain looks first at who may commit at all, so that what is
 * left to it costs next to nothing unless its sender has the balance of a generator.
 */
const MOST = 100;
const PER_MS = 60_000;

/** Whether one more may be verified, which counts. */
export type MayVerifyPossession = () => boolean;

/** Of all peers together: connections and hosts are easy to have. */
export function possessionBudget(nowMs: () => number): MayVerifyPossession {
  let begunMs = nowMs();
  let left = MOST;
  return () => {
    const now = nowMs();
    if (now - begunMs >= PER_MS || now < begunMs) {
      begunMs = now;
      left = MOST;
    }
    if (left === 0) return false;
    left -= 1;
    return true;
  };
}
