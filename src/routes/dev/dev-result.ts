import type { DevResult } from "../../env.ts";
import { ApiError } from "../../http/api-error.ts";

/** Unwraps a result of a dev chain. @throws ApiError with the reason of a refusal */
export function unwrapDevResult<Value extends object>(result: DevResult<Value>): Value {
  if (result.kind === "refused") throw new ApiError({ code: "requestInvalid", message: result.reason });
  return result;
}
