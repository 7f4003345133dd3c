/** Why the rules refuse what the owner of a dev chain wants. */
import type { DevRefusal } from "../../src/env.ts";
import { describeFault } from "../../src/protocol/fault-text.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { formatFaultReply } from "../../src/protocol/transactions/format-fault-text.ts";
import { FormatError } from "../../src/protocol/transactions/format-faults.ts";

/** @throws the error, where it is no refusal */
export function refusalOf(error: unknown): DevRefusal {
  if (error instanceof RuleError) return { kind: "refused", reason: describeFault(error.fault) };
  if (error instanceof FormatError) return { kind: "refused", reason: formatFaultReply(error.fault).message ?? "" };
  throw error;
}
