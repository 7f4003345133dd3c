/**
 * Results of signature checks for a section of a block file: one flag for each block's own signature, followed by one
 * for each of its transactions (all that `hasValidSignatures` checks), in file order. Encoded as hex, eight flags a
 * byte; missing flags at the end are false.
 */

import { decodeHex, encodeHex } from "../../crypto/hex.ts";
import type { Block } from "../../protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../protocol/blocks/block-signature.ts";
import { hasValidSignatures } from "../transactions/checks/proofs.ts";

/**
 * Verifies the signatures of a block, one at each step of the iteration.
 * @param mayVerifyPossession as in `hasValidSignatures`
 */
export function* verifiedSignatures(
  block: Block,
  chainId: number,
  mayVerifyPossession?: () => boolean,
): Iterable<boolean> {
  yield hasValidBlockSignature(block, chainId);
  for (const transaction of block.transactions) yield hasValidSignatures(transaction, mayVerifyPossession);
}

/** Same as `verifiedSignatures`, with false for the transactions. */
export function* ownSignatureAlone(block: Block, chainId: number): Iterable<boolean> {
  yield hasValidBlockSignature(block, chainId);
  for (const _ of block.transactions) yield false;
}

export function encodeFlags(flags: readonly boolean[]): string {
  const bytes = new Uint8Array(Math.ceil(flags.length / 8));
  flags.forEach((flag, index) => {
    if (flag) bytes[index >>> 3] = (bytes[index >>> 3] as number) | (1 << (index & 7));
  });
  return encodeHex(bytes);
}

/** Reads the flags of `encodeFlags` in order. */
export class FlagReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  /** @throws Error when the text is not hex */
  constructor(flags: string) {
    this.#bytes = decodeHex(flags);
  }

  next(): boolean {
    const index = this.#position++;
    return (((this.#bytes[index >>> 3] ?? 0) >>> (index & 7)) & 1) === 1;
  }
}
