/** Time limit of requests. @source docs/protocol/rest-api.md 1.5: request-timeout */
import { ApiError } from "./api-error.ts";

/** Default for routes without a limit of their own. */
export const defaultTimeLimitMs = 20_000;

/** @throws ApiError noTimelyAnswer */
export async function withTimeLimit<Answer>(response: Promise<Answer>, limitMs: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError({ code: "noTimelyAnswer" })), limitMs);
  });
  try {
    return await Promise.race([response, late]);
  } finally {
    clearTimeout(timer);
  }
}
