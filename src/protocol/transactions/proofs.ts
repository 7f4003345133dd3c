/**
 * Proofs: signatures, or inputs of an account's script.
 * @source Waves: transaction/Proofs.scala
 */
import type { FormatFault } from "./format-faults.ts";
import { limits } from "./limits.ts";

type ProofsFault = Extract<FormatFault, { code: "tooManyProofs" | "proofTooBig" }>;

/** What is wrong with the number or the sizes of the proofs. */
export function findProofsFault(proofs: readonly Uint8Array[]): ProofsFault | undefined {
  if (proofs.length > limits.proofs) return { code: "tooManyProofs", count: proofs.length, max: limits.proofs };
  let sizeBytes = 0;
  for (const proof of proofs) sizeBytes = Math.max(sizeBytes, proof.length);
  return sizeBytes > limits.proofBytes ? { code: "proofTooBig", sizeBytes, maxBytes: limits.proofBytes } : undefined;
}

/** How the reference words a fault of proofs, also inside `validationErrors`. */
export function proofsText(fault: ProofsFault): string {
  return fault.code === "tooManyProofs"
    ? `Too many proofs (${fault.count}), only ${fault.max} allowed`
    : `Too large proof (${fault.sizeBytes}), must be max ${fault.maxBytes} bytes`;
}
