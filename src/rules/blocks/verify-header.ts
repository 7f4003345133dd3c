/**
 * Verification of a header against its parent: form, signature, generator and timestamp.
 * @source docs/protocol/consensus-and-finality.md 1.2–1.6; Waves: state/appender/package.scala,
 * consensus/PoSSelector.scala
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
import type { BlockViolation } from "../../protocol/blocks/block-violation.ts";
import { briefBytesText } from "../../protocol/blocks/brief-bytes.ts";
import { validateBlockForm, validateHeaderForm } from "../../protocol/blocks/validate-block-form.ts";
import { RuleError } from "../../protocol/errors.ts";
import { earliestTimestampMs, firstFutureTimestampMs, isAcceptedEarlyBlock } from "../consensus/block-timestamp.ts";
import { expectedBlockVersion, hasLightNodeFields } from "../consensus/block-version.ts";
import { isGeneratingBalanceEnough, requiredGeneratingBalance } from "../consensus/generating-balance.ts";
import { generationSignature } from "../consensus/generation-signature.ts";
import { isVrfActive, refusesWeakVrfKeys } from "../consensus/hit.ts";
import {
  baseTargetAfter,
  delayAfter,
  drawnHitSource,
  generatingBalanceAt,
  headerAt,
  isBonusEnough,
} from "../consensus/next-block.ts";
import type { StateView } from "../state/state-view.ts";

export interface HeaderOptions {
  /** Clock; a block from the future is refused. */
  readonly nowMs: number;
  /** False when the signature is verified already. */
  readonly verifyBlockSignature?: boolean;
  /** False where the transactions are not at hand. */
  readonly verifyTransactionsRoot?: boolean;
}

/**
 * Verifies a block against its parent, the view's tip, except for its transactions, its generator set and, in a
 * challenging block, the challenged header.
 * @returns hit source of the block: VRF output, or the generation signature before version 5
 * @throws RuleError
 */
export function verifyHeader(
  block: Block,
  view: StateView,
  { nowMs, verifyBlockSignature = true, verifyTransactionsRoot = true }: HeaderOptions,
): Uint8Array {
  const { header } = block;
  const futureMs = firstFutureTimestampMs(BigInt(nowMs));
  const parent = headerAt(view, view.height);
  const { chainId, functionality } = view.settings;
  const generator = addressOfPublicKey(header.generator, chainId);
  if (!equalBytes(header.reference, parent.id))
    refuse({
      code: "blockReferenceUnknown",
      reference: briefBytesText(header.reference),
      tip: encodeBase58(parent.id),
    });
  const expected = expectedBlockVersion({ height: view.height + 1, features: view, functionality });
  if (header.version !== expected) refuse({ code: "blockVersionUnexpected", expected, got: header.version });
  if (verifyTransactionsRoot) validateBlockForm(block);
  else validateHeaderForm(header);
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

function refuse(violation: BlockViolation): never {
  throw new RuleError(violation);
}

/** @throws RuleError generationSignatureWrong */
function verifyGenerationSignature(
  header: BlockHeader,
  parent: SignedHeader,
  view: StateView,
): { hitSource: Uint8Array; delaySource: Uint8Array } {
  const source = drawnHitSource(view);
  if (!isVrfActive(view.height, view)) {
    const expected = generationSignature(parent.header.generationSignature, header.generator);
    if (!equalBytes(expected, header.generationSignature))
      refuse({
        code: "generationSignatureWrong",
        reason: `expected ${encodeBase58(expected)}, got ${encodeBase58(header.generationSignature)}`,
      });
    return { hitSource: header.generationSignature, delaySource: generationSignature(source, header.generator) };
  }
  if (refusesWeakVrfKeys(view.height, view) && isWeakPublicKey(header.generator))
    refuse({ code: "generationSignatureWrong", reason: "the generator's public key is weak" });
  const output = vrfVerify(header.generator, source, header.generationSignature);
  if (output === undefined)
    return refuse({ code: "generationSignatureWrong", reason: "the VRF proof does not verify" });
  return { hitSource: output, delaySource: output };
}

/**
 * Verifies the timestamp. The challenger's delay counts the balance of the challenged account as its own. Until feature
 * 25 it needs the minimum balance itself.
 * @throws RuleError generatingBalanceTooLow, blockTimestampTooEarly
 */
function verifyTimestamp(
  block: Block,
  parent: SignedHeader,
  delaySource: Uint8Array,
  view: StateView,
  generator: Address,
): void {
  const own = generatingBalanceAt(view, generator);
  const { chainId } = view.settings;
  const { timestamp, challengedHeader } = block.header;
  const bonus =
    challengedHeader === undefined
      ? 0n
      : generatingBalanceAt(view, addressOfPublicKey(challengedHeader.generator, chainId));
  const generatingBalance = own + (isBonusEnough(view) ? bonus : 0n);
  verifyGeneratingBalance(block.header, generatingBalance, view.height, view);
  const minimumMs = earliestTimestampMs(parent.header.timestamp, delayAfter(view, delaySource, own + bonus));
  if (timestamp < minimumMs && !isAcceptedEarlyBlock(view.height, block.id))
    refuse({ code: "blockTimestampTooEarly", minimumMs, gotMs: timestamp });
}

/**
 * Verifies that the generating balance suffices for a block after the height.
 * @param generatingBalance wavelets, with the balance that a challenger may add
 * @throws RuleError generatingBalanceTooLow
 */
export function verifyGeneratingBalance(
  { generator, timestamp }: BlockHeader,
  generatingBalance: bigint,
  parentHeight: number,
  view: StateView,
): void {
  const { functionality, chainId } = view.settings;
  const options = { generatingBalance, parentHeight, blockTimestampMs: timestamp, features: view, functionality };
  if (isGeneratingBalanceEnough(options)) return;
  refuse({
    code: "generatingBalanceTooLow",
    generator: addressText(addressOfPublicKey(generator, chainId)),
    required: requiredGeneratingBalance(parentHeight, view),
    got: generatingBalance,
  });
}

/** @throws RuleError headerFieldInvalid */
function verifyLaterFields(header: BlockHeader, view: StateView): void {
  const { functionality } = view.settings;
  const isSupported = hasLightNodeFields({ height: view.height + 1, features: view, functionality });
  for (const field of ["stateHash", "challengedHeader"] as const)
    if (header[field] !== undefined && !isSupported)
      refuse({ code: "headerFieldInvalid", field, reason: "not supported yet at this height" });
}
