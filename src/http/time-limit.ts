/** How long a request may wait for its answer. @source spec/rest-api.md 1.5: request-timeout */
import { late, type TimeLimits, type WaitingRequest } from "../platform/time-limits.ts";
import { ApiError } from "./api-fault.ts";

/** Where the row says nothing else. */
export const defaultTimeLimitMs = 20_000;

/** What the limit takes of a request and its isolate. */
export interface TimeLimited extends WaitingRequest {
  readonly timeLimits: TimeLimits;
}

/** @throws ApiError noTimelyAnswer */
export async function withTimeLimit<Answer>(
  answer: Promise<Answer>,
  limitMs: number,
  { timeLimits, waitUntil }: TimeLimited,
): Promise<Answer> {
  const found = await timeLimits.within(answer, limitMs, { waitUntil });
  if (found === late) throw new ApiError({ code: "noTimelyAnswer" });
  return found;
}
