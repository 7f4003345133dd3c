/** What can be said of a block of a peer beside the chain: that it is the one of its id, and which signatures are valid. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { validateBlockForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { describeFault } from "../../../src/protocol/fault-text.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { verifiedSignatures } from "../../../src/rules/blocks/verified-signatures.ts";

export interface CheckedBlock {
  /** As in a block file, behind its length. */
  readonly record: Uint8Array;
  /** Its own signature, then those of its transactions (`encodeFlags`). */
  readonly flags: readonly boolean[];
}

/**
 * Verifies the signature of the generator, that the transactions are those that the id stands for, and the signatures of the
 * transactions; of these only the chain knows which matter.
 * @returns a sentence: why it cannot be the block of its id, whatever the chain says. Whoever sent it has changed it.
 */
export function checkBlock(block: Block, chainId: number): CheckedBlock | string {
  const signatures = verifiedSignatures(block, chainId)[Symbol.iterator]();
  if (signatures.next().value !== true) return `Block ${encodeBase58(block.id)} has invalid signature`;
  try {
    validateBlockForm(block);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return `Block ${encodeBase58(block.id)} is invalid: ${describeFault(error.fault)}`;
  }
  const flags = [true];
  for (let next = signatures.next(); next.done !== true; next = signatures.next()) flags.push(next.value);
  return { record: encodeBlockRecord(encodeBlock(block, chainId)), flags };
}
