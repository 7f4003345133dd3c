import type { Unfinished } from "../../../src/rpc/chain-for-peers.ts";

/** The chain may be reset between two calls, and continues from its storage. */
const MAX_FAILURES = 3;

/**
 * Repeats a call until it is finished.
 * @param isBegun whether an earlier call was unfinished
 * @throws the error of the first call; the error of a later one after repeated failures
 */
export async function pollUntilDone<Result extends object | string>(
  call: () => Promise<Result | Unfinished>,
  isBegun = false,
): Promise<Exclude<Result, Unfinished>> {
  let mayFail = isBegun;
  for (let failures = 0; ; ) {
    try {
      const result = await call();
      if (result !== "unfinished") return result as Exclude<Result, Unfinished>;
      mayFail = true;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!mayFail || failures > MAX_FAILURES) throw error;
    }
  }
}
