/**
 * A block checked against its parent, before any of its transactions: its own header and, if it challenges another block, the
 * header of that one.
 * @source spec/snapshots-and-state-hash.md 5.4; Waves: state/appender/package.scala (processBlockWithChallenge)
 */
import { equalBytes } from "../../crypto/bytes.ts";
import type { Block } from "../../protocol/blocks/block.ts";
import { challengedBlock } from "../../protocol/blocks/block-signature.ts";
import { RuleError } from "../../protocol/faults.ts";
import type { StateView } from "../state/state-view.ts";
import { type HeaderOptions, verifyHeader } from "./verify-header.ts";

/** A block whose header holds. */
export interface VerifiedBlock {
  readonly block: Block;
  /** VRF output, or the generation signature before version 5. */
  readonly hitSource: Uint8Array;
}

/** A block, and the one that it challenges, if it does. */
export interface VerifiedBlocks extends VerifiedBlock {
  readonly challenged: VerifiedBlock | undefined;
}

/**
 * Checks a block against the view's tip, its parent, but not its transactions.
 * @throws RuleError as `verifyHeader`, about either of the two; headerFieldInvalid: the generator challenges itself
 */
export function verifyBlock(block: Block, view: StateView, options: HeaderOptions): VerifiedBlocks {
  const hitSource = verifyHeader(block, view, options);
  const challenged = challengedBlock(block, view.settings.chainId);
  if (challenged === undefined) return { block, hitSource, challenged };
  if (equalBytes(challenged.header.generator, block.header.generator))
    throw new RuleError({
      code: "headerFieldInvalid",
      field: "challengedHeader",
      reason: "the generator challenges a block of its own",
    });
  // The signature of the challenged header counts as one of the block.
  const challengedHitSource = verifyHeader(challenged, view, { ...options, verifyBlockSignature: false });
  return { block, hitSource, challenged: { block: challenged, hitSource: challengedHitSource } };
}
