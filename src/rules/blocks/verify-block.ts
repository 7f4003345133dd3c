/**
 * A block checked against its parent, before any of its transactions: its own header, who may generate, the voting and, if it
 * challenges another block, the header of that one.
 * @source docs/protocol/snapshots-and-state-hash.md 5.4; docs/protocol/consensus-and-finality.md 3.3, 3.7, 3.12;
 *   Waves 1.6: state/appender/package.scala (validateBlock, processBlockWithChallenge)
 */
import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { Block } from "../../protocol/blocks/block.ts";
import { challengedBlock } from "../../protocol/blocks/block-signature.ts";
import { RuleError } from "../../protocol/faults.ts";
import type { EndorsementSignatures } from "../finality/endorsement-signatures.ts";
import { allowedGenerators, findGenerator, type GeneratorSet, generatorsAfter } from "../finality/generator-set.ts";
import { verifyVoting } from "../finality/verify-voting.ts";
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
  /** Of both. */
  readonly generators: GeneratorSet;
}

export interface VerifyOptions extends HeaderOptions {
  /** By default those of the curve. */
  readonly signatures?: EndorsementSignatures | undefined;
}

/** So many are named to somebody who may not generate. */
const NAMED_GENERATORS = 10;

/**
 * Checks a block against the view's tip, its parent, but not its transactions.
 * @throws RuleError as `verifyHeader`, about either of the two; headerFieldInvalid: the generator challenges itself;
 *   generatorNotAllowed: of the challenged one, where there is one, since anybody may challenge; votingInvalid
 */
export function verifyBlock(block: Block, view: StateView, options: VerifyOptions): VerifiedBlocks {
  const hitSource = verifyHeader(block, view, options);
  const challenged = challengedBlock(block, view.settings.chainId);
  if (challenged === undefined) {
    const generators = generatorsAfter(view.height, view);
    verifyGenerator(block, view, generators);
    verifyVoting({ header: block.header, height: view.height + 1, generators }, view, options.signatures);
    return { block, hitSource, challenged, generators };
  }
  if (equalBytes(challenged.header.generator, block.header.generator))
    throw new RuleError({
      code: "headerFieldInvalid",
      field: "challengedHeader",
      reason: "the generator challenges a block of its own",
    });
  // The signature of the challenged header counts as one of the block.
  const challengedHitSource = verifyHeader(challenged, view, { ...options, verifyBlockSignature: false });
  const generators = generatorsAfter(view.height, view);
  verifyGenerator(challenged, view, generators);
  for (const { header } of [challenged, block])
    verifyVoting({ header, height: view.height + 1, generators }, view, options.signatures);
  return { block, hitSource, challenged: { block: challenged, hitSource: challengedHitSource }, generators };
}

/** @throws RuleError generatorNotAllowed */
function verifyGenerator({ header }: Block, view: StateView, generators: GeneratorSet): void {
  const { chainId } = view.settings;
  const generator = addressOfPublicKey(header.generator, chainId);
  if (findGenerator(generators, generator) !== undefined) return;
  const allowed = allowedGenerators(generators).map(({ address }) => addressText(address));
  // Where none of those who have committed may, it is as if nobody had.
  if (allowed.length === 0) return;
  const named = allowed.slice(0, NAMED_GENERATORS);
  throw new RuleError({ code: "generatorNotAllowed", generator: addressText(generator), allowed: named });
}
