/** Checks of a peer's block without the chain: the block matches its id, and which signatures are valid. */
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Block, BlockHeader, BlockId } from "../../../src/protocol/blocks/block.ts";
import { encodeBlockRecord } from "../../../src/protocol/blocks/block-file.ts";
import { encodeBlock } from "../../../src/protocol/blocks/parse-block.ts";
import { validateBlockForm } from "../../../src/protocol/blocks/validate-block-form.ts";
import { describeViolation } from "../../../src/protocol/describe-violation.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import { ownSignatureAlone, verifiedSignatures } from "../../../src/rules/blocks/verified-signatures.ts";
import type { MayVerifyPossession } from "./possession-rate-limiter.ts";

export interface CheckedBlock {
  /** Number of snapshots that are needed; undefined: the chain runs the transactions. */
  readonly awaits: number | undefined;
  /** Block with its length before it, as in a block file. */
  readonly record: Uint8Array;
  /** Validity of the block's own signature, then of those of its transactions (`encodeFlags`). */
  readonly flags: readonly boolean[];
}

export interface BlockCheckOptions {
  readonly chainId: number;
  /** State snapshots replace running the transactions, if a block has any. */
  readonly isLight: boolean;
  readonly mayVerifyPossession: MayVerifyPossession;
}

/**
 * Whether a light node uses snapshots for a block or micro-block: only if a state hash proves them. The reference
 * trusts them before headers have one.
 */
export function isProved({
  stateHash,
  transactions,
}: Pick<BlockHeader, "stateHash"> & Pick<Block, "transactions">): boolean {
  return stateHash !== undefined && transactions.length > 0;
}

/** Error message for a block that its generator has not signed. */
export function invalidSignature(id: BlockId): string {
  return `Block ${encodeBase58(id)} has invalid signature`;
}

/**
 * Verifies the generator's signature, that the transactions match the id, and the signatures of the transactions,
 * unless snapshots replace them; only the chain knows which of these matter.
 * @returns error message if the block cannot match its id, whatever the state: its sender has changed it
 */
export function checkBlock(
  block: Block,
  { chainId, isLight, mayVerifyPossession }: BlockCheckOptions,
): CheckedBlock | string {
  const { header, transactions } = block;
  const isBySnapshots = isLight && isProved({ ...header, transactions });
  const verified = isBySnapshots
    ? ownSignatureAlone(block, chainId)
    : verifiedSignatures(block, chainId, mayVerifyPossession);
  const signatures = verified[Symbol.iterator]();
  if (signatures.next().value !== true) return invalidSignature(block.id);
  try {
    validateBlockForm(block);
  } catch (error) {
    if (!(error instanceof RuleError)) throw error;
    return `Block ${encodeBase58(block.id)} is invalid: ${describeViolation(error.violation)}`;
  }
  const flags = [true];
  for (let next = signatures.next(); next.done !== true; next = signatures.next()) flags.push(next.value);
  const record = encodeBlockRecord(encodeBlock(block, chainId));
  return { record, flags, awaits: isBySnapshots ? transactions.length : undefined };
}
