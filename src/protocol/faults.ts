/**
 * Faults as data. A fault names the rule that was broken with the values that broke it; `src/http/errors.ts` gives each
 * code its API error id, HTTP status and text. Add a code here and the compiler asks for its row there.
 */

import type { BlockFault } from "./blocks/faults.ts";
import type { TransactionFault } from "./transactions/faults.ts";

/** A transaction or a block that breaks a rule of the protocol. */
export class RuleError extends Error {
  override readonly name = "RuleError";
  readonly fault: TransactionFault | BlockFault;
  constructor(fault: TransactionFault | BlockFault, options?: { cause?: unknown }) {
    super(fault.code, options);
    this.fault = fault;
  }
}

/** Bytes that do not have the form they should have. */
export class WireError extends Error {
  override readonly name = "WireError";
  /** What was being read, e.g. `block.header.reference`. */
  readonly field: string;
  /** Where, counted from the start of the message, in bytes. */
  readonly offset: number;
  readonly reason: string;
  constructor(facts: { field: string; offset: number; reason: string }) {
    super(`${facts.field} at byte ${facts.offset}: ${facts.reason}`);
    this.field = facts.field;
    this.offset = facts.offset;
    this.reason = facts.reason;
  }
}
