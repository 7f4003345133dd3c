import { type RequestLogBindings, requestLogOf } from "../../src/http/request-log.ts";
import { type RestBindings, readRestSettings } from "../../src/http/rest-settings.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import { UsageError } from "../cli/usage-error.ts";

/** Checks settings at the start that the Worker would refuse only at its first request. @throws UsageError */
export function checkRestSettings(bindings: RestBindings & Pick<RequestLogBindings, "REQUEST_LOG">): void {
  try {
    readRestSettings(bindings);
    requestLogOf(bindings);
  } catch (error) {
    if (error instanceof NetworkSettingsError) throw new UsageError(error.message);
    throw error;
  }
}
