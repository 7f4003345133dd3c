/** Refusals of requests by a dev chain's owner: by the rules, or because they are impossible. */
import type { DevRefusal } from "../../../src/env.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { FormatError } from "../../../src/protocol/transactions/format-error.ts";
import { formatErrorContent } from "../../../src/protocol/transactions/format-error-content.ts";

/** Another state has replaced the one for which a request was in progress. */
export const stateReplaced = "the state was replaced meanwhile";

/** Impossible request; the message gives the reason. */
export class DevRefused extends Error {}

export function isRefusal(error: unknown): boolean {
  return error instanceof RuleError || error instanceof FormatError || error instanceof DevRefused;
}

/** @throws the error, if it is no refusal */
export function refusalOf(error: unknown): DevRefusal {
  if (error instanceof RuleError) return { kind: "refused", reason: describeViolation(error.violation) };
  if (error instanceof FormatError)
    return { kind: "refused", reason: formatErrorContent(error.violation).message ?? "" };
  if (error instanceof DevRefused) return { kind: "refused", reason: error.message };
  throw error;
}
