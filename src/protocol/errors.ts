/**
 * Errors as data. A violation names the broken rule and the values that broke it; `src/http/errors.ts` gives each code
 * its API error id, HTTP status and text. For a code that is added here, the compiler requires an entry there.
 */

import type { BlockViolation } from "./blocks/block-violation.ts";
import type { TransactionViolation } from "./transactions/transaction-violation.ts";

/** A transaction or a block that breaks a rule of the protocol. */
export class RuleError extends Error {
  override readonly name = "RuleError";
  readonly violation: TransactionViolation | BlockViolation;
  constructor(violation: TransactionViolation | BlockViolation, options?: { cause?: unknown }) {
    super(violation.code, options);
    this.violation = violation;
  }
}

/** Malformed bytes. */
export class WireError extends Error {
  override readonly name = "WireError";
  /** Path of the field, e.g. `block.header.reference`. */
  readonly field: string;
  /** Offset from the start of the message, bytes. */
  readonly offset: number;
  readonly reason: string;
  constructor(details: { field: string; offset: number; reason: string }) {
    super(`${details.field} at byte ${details.offset}: ${details.reason}`);
    this.field = details.field;
    this.offset = details.offset;
    this.reason = details.reason;
  }
}
