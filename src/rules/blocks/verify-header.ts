/**
 * A block checked against its parent, before any of its transactions: form, signature, who signed it and when.
 * @source spec/consensus-and-finality.md 1.2–1.6; Waves: state/appender/package.scala, consensus/PoSSelector.scala
 */
import { addressOfPublicKey, addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { equalBytes } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { vrfVerify } from "../../crypto/vrf.ts";
import { isWeakPublicKey } from "../../crypto/weak-public-keys.ts";
import { Feature } from "../../network/features.ts";
import type { Block, BlockHeader, SignedHeader } from "../../protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../protocol/blocks/block-signature.ts";
import type { BlockFault } from "../../protocol/blocks/faults.ts";
import { validateBlockForm } from "../../protocol/blocks/validate-block-form.ts";
import { RuleError } from "../../protocol/faults.ts";
import { firstFutureTimestampMs, isAcceptedEarlyBlock } from "../consensus/block-timestamp.ts";
import { expectedBlockVersion, hasLightNodeFields } from "../consensus/block-version.ts";
import { isGeneratingBalanceEnough, requiredGeneratingBalance } from "../consensus/generating-balance.ts";
import { generationSignature } from "../consensus/generation-signature.ts";
import { isVrfActive, refusesWeakVrfKeys } from "../consensus/hit.ts";
import { baseTargetAfter, delayAfter, drawnHitSource, generatingBalanceAt, headerAt } from "../consensus/next-block.ts";
import type { StateView } from "../state/state-view.ts";

/**
 * Checks a block against the view's tip, its parent, but not its transactions.
 * @param nowMs clock; a block from the future is refused
 * @param verifyBlockSignature false where the signature is already checked
 * @returns the block's hit source: VRF output, or the generation signature before version 5
 * @throws RuleError
 */
export function verifyHeader(
  block: Block,
  view: StateView,
  { nowMs, verifyBlockSignature = true }: { readonly nowMs: number; readonly verifyBlockSignature?: boolean },
): Uint8Array {
  const { header } = block;
  const futureMs = firstFutureTimestampMs(BigInt(nowMs));
  const parent = headerAt(view, view.height);
  const { chainId, functionality } = view.settings;
  const generator = addressOfPublicKey(header.generator, chainId);
  if (!equalBytes(header.reference, parent.id))
    refuse({
      code: "blockReferenceUnknown",
      reference: encodeBase58(header.reference),
      tip: encodeBase58(parent.id),
    });
  const expected = expectedBlockVersion({ height: view.height + 1, features: view, functionality });
  if (header.version !== expected) refuse({ code: "blockVersionUnexpected", expected, got: header.version });
  validateBlockForm(block);
  if (!view.has(Feature.RideV6) && view.findAccountScript(generator) !== undefined)
    refuse({ code: "generatorHasScript", generator: addressText(generator) });
  if (header.timestamp >= futureMs)
    refuse({ code: "blockFromFuture", latestMs: futureMs - 1n, gotMs: header.timestamp });
  if (verifyBlockSignature && !hasValidBlockSignature(block, chainId))
    refuse({ code: "blockSignatureInvalid", blockId: encodeBase58(block.id) });
  const baseTarget = baseTargetAfter(view, header.timestamp);
  if (header.baseTarget !== baseTarget)
    refuse({ code: "baseTargetWrong", expected: baseTarget, got: header.baseTarget });
  const { hitSource, delaySource } = verifyGenerationSignature(header, parent, view);
  verifyTimestamp(block, parent, delaySource, view, generator);
  verifyLaterFields(header, view);
  return hitSource;
}

function refuse(fault: BlockFault): never {
  throw new RuleError(fault);
}

/** @throws RuleError generationSignatureWrong */
function verifyGenerationSignature(
  header: BlockHeader,
  parent: SignedHeader,
  view: StateView,
): { hitSource: Uint8Array; delaySource: Uint8Array } {
  const drawn = drawnHitSource(view);
  if (!isVrfActive(view.height, view)) {
    const expected = generationSignature(parent.header.generationSignature, header.generator);
    if (!equalBytes(expected, header.generationSignature))
      refuse({
        code: "generationSignatureWrong",
        reason: `expected ${encodeBase58(expected)}, got ${encodeBase58(header.generationSignature)}`,
      });
    return { hitSource: header.generationSignature, delaySource: generationSignature(drawn, header.generator) };
  }
  if (refusesWeakVrfKeys(view.height, view) && isWeakPublicKey(header.generator))
    refuse({ code: "generationSignatureWrong", reason: "the generator's public key is weak" });
  const output = vrfVerify(header.generator, drawn, header.generationSignature);
  if (output === undefined)
    return refuse({ code: "generationSignatureWrong", reason: "the VRF proof does not verify" });
  return { hitSource: output, delaySource: output };
}

/** @throws RuleError generatingBalanceTooLow, blockTimestampTooEarly */
function verifyTimestamp(
  block: Block,
  parent: SignedHeader,
  delaySource: Uint8Array,
  view: StateView,
  generator: Address,
): void {
  const generatingBalance = generatingBalanceAt(view, generator);
  const { functionality } = view.settings;
  const { timestamp } = block.header;
  if (
    !isGeneratingBalanceEnough({
      generatingBalance,
      parentHeight: view.height,
      blockTimestampMs: timestamp,
      features: view,
      functionality,
    })
  )
    refuse({
      code: "generatingBalanceTooLow",
      generator: addressText(generator),
      required: requiredGeneratingBalance(view.height, view),
      got: generatingBalance,
    });
  const minimumMs = parent.header.timestamp + delayAfter(view, delaySource, generatingBalance);
  if (timestamp < minimumMs && !isAcceptedEarlyBlock(view.height, block.id))
    refuse({ code: "blockTimestampTooEarly", minimumMs, gotMs: timestamp });
}

/** @throws RuleError headerFieldInvalid, headerFieldUnimplemented */
function verifyLaterFields(header: BlockHeader, view: StateView): void {
  const { functionality } = view.settings;
  const hasStateHash = hasLightNodeFields({ height: view.height + 1, features: view, functionality });
  if (header.stateHash !== undefined && !hasStateHash)
    refuse({ code: "headerFieldInvalid", field: "stateHash", reason: "not supported yet at this height" });
  // Blocks with these mean something that this release does not do. Taken as ordinary ones they would fork the node.
  for (const field of ["challengedHeader", "finalizationVoting"] as const)
    if (header[field] !== undefined) refuse({ code: "headerFieldUnimplemented", field });
}
