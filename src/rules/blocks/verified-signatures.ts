/**
 * What somebody has verified beforehand of the signatures in a piece of a block file: a flag for each block's own, and
 * after it one for each of its transactions (all that `hasValidSignatures` looks at), in the order of the file. Travels
 * as hex, eight flags a byte; flags that are missing at the end are down.
 */

import { decodeHex, encodeHex } from "../../crypto/hex.ts";
import type { Block } from "../../protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../protocol/blocks/block-signature.ts";
import { hasValidSignatures } from "../transactions/checks/proofs.ts";

/**
 * Verifies all signatures of a block, one flag each time that it is asked for the next one.
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

/** As `verifiedSignatures`, with those of the transactions left out. */
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

/** The flags of `encodeFlags`, one after the other. */
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
