/**
 * Verification of a block against its parent, before its transactions: its header, its right to generate, its voting,
 * and the header of the block that it challenges, if any.
 * @source docs/protocol/snapshots-and-state-hash.md 5.4; docs/protocol/consensus-and-finality.md 3.3, 3.7, 3.12;
 * Waves 1.6: state/appender/package.scala (validateBlock, processBlockWithChallenge)
 */
import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { Block } from "../../protocol/blocks/block.ts";
import { challengedBlock } from "../../protocol/blocks/block-signature.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { EndorsementSignatures } from "../finality/endorsement-signatures.ts";
import { allowedGenerators, findGenerator, type GeneratorSet, generatorsAfter } from "../finality/generator-set.ts";
import { verifyVoting } from "../finality/verify-voting.ts";
import type { StateView } from "../state/state-view.ts";
import { type HeaderOptions, verifyHeader } from "./verify-header.ts";

/** Block with a valid header. */
export interface VerifiedBlock {
  readonly block: Block;
  /** VRF output, or the generation signature before version 5. */
  readonly hitSource: Uint8Array;
}

/** Block with the challenged block, if any. */
export interface VerifiedBlocks extends VerifiedBlock {
  readonly challenged: VerifiedBlock | undefined;
  /** Generators for both blocks. */
  readonly generators: GeneratorSet;
}

export interface VerifyOptions extends HeaderOptions {
  /** By default verified on the curve. */
  readonly signatures?: EndorsementSignatures | undefined;
}

/** Maximum of allowed generators in the error. */
const NAMED_GENERATORS = 10;

/**
 * Verifies a block against its parent, the view's tip, except for its transactions.
 * @throws RuleError as `verifyHeader`, for either block; headerFieldInvalid: the generator challenges itself;
 * generatorNotAllowed: for the challenged generator if there is one, since anyone may challenge; votingInvalid
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
  // The signature of the challenged header was verified with the challenging block's.
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
  // Without any allowed committed generator the rule does not hold.
  if (allowed.length === 0) return;
  const listed = allowed.slice(0, NAMED_GENERATORS);
  throw new RuleError({ code: "generatorNotAllowed", generator: addressText(generator), allowed: listed });
}
