/**
 * Timeout of tests, ms: a test that exceeds it hangs, and no verdict depends on it. A busy machine may need ten times
 * as long as an idle one.
 */
const hungMs = 300_000;
/** Timeout of one condition, ms: a test with several conditions still reports the missing one. */
export const pollMs = 120_000;

/** For the `test` part of a project's configuration. */
export const patience = { testTimeout: hungMs, hookTimeout: hungMs } as const;
/** For its `expect.poll`. */
export const pollPatience = { timeout: pollMs } as const;
