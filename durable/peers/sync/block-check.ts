/** What can be said of a block of a peer beside the chain: that it is the one of its id, and which signatures are valid. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Block, BlockHeader } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { validateBlockForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { describeFault } from "../../../src/protocol/fault-text.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import { ownSignatureAlone, verifiedSignatures } from "../../../src/rules/blocks/verified-signatures.ts";
import type { MayVerifyPossession } from "./possession-budget.ts";

export interface CheckedBlock {
  /** How many snapshots say what its transactions do; undefined: the chain runs them. */
  readonly awaits: number | undefined;
  /** As in a block file, behind its length. */
  readonly record: Uint8Array;
  /** Its own signature, then those of its transactions (`encodeFlags`). */
  readonly flags: readonly boolean[];
}

export interface BlockCheckFacts {
  readonly chainId: number;
  /** What transactions do is taken from snapshots where a block has any. */
  readonly isLight: boolean;
  readonly mayVerifyPossession: MayVerifyPossession;
}

/**
 * Whether a light node takes what the transactions of a block or micro-block do from snapshots: where a state hash proves them. The
 * reference takes them on trust before headers have one.
 */
export function isProved({
  stateHash,
  transactions,
}: Pick<BlockHeader, "stateHash"> & Pick<Block, "transactions">): boolean {
  return stateHash !== undefined && transactions.length > 0;
}

/**
 * Verifies the signature of the generator, that the transactions are those that the id stands for, and the signatures of the
 * transactions, unless snapshots say what these do; only the chain knows which of them matter.
 * @returns a sentence: why it cannot be the block of its id, whatever the chain says. Whoever sent it has changed it.
 */
export function checkBlock(
  block: Block,
  { chainId, isLight, mayVerifyPossession }: BlockCheckFacts,
): CheckedBlock | string {
  const { header, transactions } = block;
  const isBySnapshots = isLight && isProved({ ...header, transactions });
  const verified = isBySnapshots
    ? ownSignatureAlone(block, chainId)
    : verifiedSignatures(block, chainId, mayVerifyPossession);
  const signatures = verified[Symbol.iterator]();
  if (signatures.next().value !== true) return `Block ${encodeBase58(block.id)} has invalid signature`;
  try {
    validateBlockForm(block);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return `Block ${encodeBase58(block.id)} is invalid: ${describeFault(error.fault)}`;
  }
  const flags = [true];
  for (let next = signatures.next(); next.done !== true; next = signatures.next()) flags.push(next.value);
  const record = encodeBlockRecord(encodeBlock(block, chainId));
  return { record, flags, awaits: isBySnapshots ? transactions.length : undefined };
}
