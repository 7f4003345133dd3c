/**
 * Proofs: signatures, or inputs of an account's script.
 * @source Waves: transaction/Proofs.scala
 */
import type { FormatViolation } from "./format-error.ts";
import { limits } from "./limits.ts";

type ProofsViolation = Extract<FormatViolation, { code: "tooManyProofs" | "proofTooBig" }>;

/** Violation in the number or the sizes of the proofs. */
export function findProofsViolation(proofs: readonly Uint8Array[]): ProofsViolation | undefined {
  if (proofs.length > limits.proofs) return { code: "tooManyProofs", count: proofs.length, max: limits.proofs };
  let sizeBytes = 0;
  for (const proof of proofs) sizeBytes = Math.max(sizeBytes, proof.length);
  return sizeBytes > limits.proofBytes ? { code: "proofTooBig", sizeBytes, maxBytes: limits.proofBytes } : undefined;
}

/** Text of a violation, as the reference prints it, also inside `validationErrors`. */
export function proofsText(violation: ProofsViolation): string {
  return violation.code === "tooManyProofs"
    ? `Too many proofs (${violation.count}), only ${violation.max} allowed`
    : `Too large proof (${violation.sizeBytes}), must be max ${violation.maxBytes} bytes`;
}
