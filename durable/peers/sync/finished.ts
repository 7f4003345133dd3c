import type { Unfinished } from "../chain-for-peers.ts";

/** Calls until there is an answer. */
export async function finished<Answer extends object | string>(
  call: () => Promise<Answer | Unfinished>,
): Promise<Exclude<Answer, Unfinished>> {
  for (;;) {
    const answer = await call();
    if (answer !== "unfinished") return answer as Exclude<Answer, Unfinished>;
  }
}
