/**
 * How long tests wait before what they wait for counts as hung, ms: no verdict depends on it. A machine that does other things
 * meanwhile may need ten times as long as one that does not.
 */
const hungMs = 300_000;
/** Of one condition: a test that waits for several still says which did not come. */
export const pollMs = 120_000;

/** For the `test` part of a project's configuration. */
export const patience = { testTimeout: hungMs, hookTimeout: hungMs } as const;
/** For its `expect.poll`. */
export const pollPatience = { timeout: pollMs } as const;
