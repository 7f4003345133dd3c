/** Why what the owner of a dev chain wants is refused: by the rules, or because it cannot be done. */
import type { DevRefusal } from "../../src/env.ts";
import { describeFault } from "../../src/protocol/fault-text.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { formatFaultReply } from "../../src/protocol/transactions/format-fault-text.ts";
import { FormatError } from "../../src/protocol/transactions/format-faults.ts";

/** Another state is in the place of the one for which something was under way. */
export const stateExchanged = "the state was exchanged meanwhile";

/** What the owner wants cannot be done; the message says why. */
export class DevRefused extends Error {}

export function isRefusal(error: unknown): boolean {
  return error instanceof RuleError || error instanceof FormatError || error instanceof DevRefused;
}

/** @throws the error, where it is no refusal */
export function refusalOf(error: unknown): DevRefusal {
  if (error instanceof RuleError) return { kind: "refused", reason: describeFault(error.fault) };
  if (error instanceof FormatError) return { kind: "refused", reason: formatFaultReply(error.fault).message ?? "" };
  if (error instanceof DevRefused) return { kind: "refused", reason: error.message };
  throw error;
}
