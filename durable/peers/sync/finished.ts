import type { Unfinished } from "../chain-for-peers.ts";

/** The chain may be reset between two calls, and goes on with what it has stored. */
const MAX_FAILURES = 3;

/**
 * Calls until there is an answer.
 * @param isBegun whether a call before was unfinished
 * @throws what the first call throws; what a later one throws again and again
 */
export async function finished<Answer extends object | string>(
  call: () => Promise<Answer | Unfinished>,
  isBegun = false,
): Promise<Exclude<Answer, Unfinished>> {
  let mayFail = isBegun;
  for (let failures = 0; ; ) {
    try {
      const answer = await call();
      if (answer !== "unfinished") return answer as Exclude<Answer, Unfinished>;
      mayFail = true;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!mayFail || failures > MAX_FAILURES) throw error;
    }
  }
}
