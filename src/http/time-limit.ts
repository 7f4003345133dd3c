/** How long a request may wait for its answer. @source docs/protocol/rest-api.md 1.5: request-timeout */
import { ApiError } from "./api-fault.ts";

/** Where the row says nothing else. */
export const defaultTimeLimitMs = 20_000;

/** @throws ApiError noTimelyAnswer */
export async function withTimeLimit<Answer>(answer: Promise<Answer>, limitMs: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError({ code: "noTimelyAnswer" })), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
