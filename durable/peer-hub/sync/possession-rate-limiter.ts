/**
 * Limit of the proofs of possession that are verified for peers, without the chain. Each takes forty milliseconds where
 * a signature takes a tenth of one, and an attacker without WAVES can make any number of commitments. The chain checks
 * first who may commit at all, so a proof left to it costs next to nothing unless its sender has a generator's balance.
 */
const MOST = 100;
const PER_MS = 60_000;

/** Whether one more may be verified, which counts. */
export type MayVerifyPossession = () => boolean;

/** Limit over all peers, since connections and hosts are cheap. */
export function possessionRateLimiter(nowMs: () => number): MayVerifyPossession {
  let startMs = nowMs();
  let remaining = MOST;
  return () => {
    const now = nowMs();
    if (now - startMs >= PER_MS || now < startMs) {
      startMs = now;
      remaining = MOST;
    }
    if (remaining === 0) return false;
    remaining -= 1;
    return true;
  };
}
