import type { DevAnswer } from "../../env.ts";
import { ApiError } from "../../http/api-error.ts";

/** Unwraps a result of a dev chain. @throws ApiError with the reason of a refusal */
export function done<Value extends object>(result: DevAnswer<Value>): Value {
  if (result.kind === "refused") throw new ApiError({ code: "requestInvalid", message: result.reason });
  return result;
}
