import type { DevAnswer } from "../env.ts";
import { ApiError } from "../http/api-fault.ts";

/** What a dev chain answers. @throws ApiError with the reason, where it was not done */
export function done<Value extends object>(answer: DevAnswer<Value>): Value {
  if (answer.kind === "refused") throw new ApiError({ code: "requestInvalid", message: answer.reason });
  return answer;
}
