import { type RestBindings, readRestSettings } from "../../src/http/rest-settings.ts";
import { NetworkSettingsError } from "../../src/network/settings-error.ts";
import { UsageError } from "../cli/usage-error.ts";

/** What the Worker would refuse at its first request ends the start. @throws UsageError */
export function checkRestSettings(bindings: RestBindings): void {
  try {
    readRestSettings(bindings);
  } catch (error) {
    if (error instanceof NetworkSettingsError) throw new UsageError(error.message);
    throw error;
  }
}
