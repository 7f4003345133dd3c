/**
 * Who may sign the next block, when, and with which base target: everything about a header that its parent decides.
 * @source spec/consensus-and-finality.md 1.2–1.6; Waves: state/appender/package.scala, consensus/PoSSelector.scala
 */
import { addressOfPublicKey, addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Address } from "../../src/crypto/identities.ts";
import { vrfVerify } from "../../src/crypto/vrf.ts";
import { isWeakPublicKey } from "../../src/crypto/weak-public-keys.ts";
import { Feature } from "../../src/network/features.ts";
import type { Block, BlockHeader, SignedHeader } from "../../src/protocol/blocks/block.ts";
import { hasValidBlockSignature } from "../../src/protocol/blocks/block-signature.ts";
import type { BlockFault } from "../../src/protocol/blocks/faults.ts";
import { validateBlockForm } from "../../src/protocol/blocks/validate-block-form.ts";
import { expectedBlockVersion, hasLightNodeFields } from "../../src/protocol/consensus/block-version.ts";
import {
  generatingBalanceWindow,
  isGeneratingBalanceEnough,
  requiredGeneratingBalance,
} from "../../src/protocol/consensus/generating-balance.ts";
import { RuleError } from "../../src/protocol/faults.ts";
import { nextBaseTarget } from "../consensus/base-target.ts";
import { blockDelayMs } from "../consensus/block-delay.ts";
import { firstFutureTimestampMs, isAcceptedEarlyBlock } from "../consensus/block-timestamp.ts";
import { generationSignature } from "../consensus/generation-signature.ts";
import { hitOf, hitSourceHeight, isVrfActive, refusesWeakVrfKeys } from "../consensus/hit.ts";
import { posAlgorithm } from "../consensus/pos-algorithm.ts";
import type { StateView } from "../state/state-view.ts";

/** Generating balance with which the account may sign the block after the view's tip, wavelets. */
export function generatingBalanceAt(view: StateView, address: Address): bigint {
  const { from, to } = generatingBalanceWindow({
    parentHeight: view.height,
    features: view,
    functionality: view.settings.functionality,
  });
  return view.minimumEffectiveBalance(address, from, to);
}

/** Base target of the block after the view's tip, which depends on the block's own timestamp. */
export function baseTargetAfter(view: StateView, timestampMs: bigint): bigint {
  const parentHeight = view.height;
  const parent = headerAt(view, parentHeight);
  const facts = {
    averageBlockDelayMs: view.settings.genesis.averageBlockDelayMs,
    parentHeight,
    parentBaseTarget: parent.header.baseTarget,
    parentTimestampMs: parent.header.timestamp,
    greatGrandparentTimestampMs: view.findHeader(parentHeight - 2)?.header.timestamp,
    timestampMs,
  };
  return nextBaseTarget(algorithmAfter(view), facts);
}

/**
 * Time after the tip at which a generator may sign.
 * @param source VRF output, or before VRF the hash that takes its place
 * @returns milliseconds
 */
export function delayAfter(view: StateView, source: Uint8Array, generatingBalance: bigint): bigint {
  const parent = headerAt(view, view.height);
  return blockDelayMs(algorithmAfter(view), {
    hit: hitOf(source),
    baseTarget: parent.header.baseTarget,
    generatingBalance,
  });
}

function algorithmAfter(view: StateView) {
  return posAlgorithm({ parentHeight: view.height, features: view, functionality: view.settings.functionality });
}

/** What the generators of the block after the tip draw their luck from. */
export function drawnHitSource(view: StateView): Uint8Array {
  const height = hitSourceHeight(view.height, view);
  const source = view.findHitSource(height);
  if (source === undefined) throw new Error(`no hit source is known at height ${height}`);
  return source;
}

/**
 * Checks a block against the view's tip, its parent, but not its transactions.
 * @param nowMs clock; a block from the future is refused
 * @param verifyBlockSignature false where the signature is already checked
 * @returns the block's hit source: VRF output, or the generation signature before version 5
 * @throws RuleError
 */
export function verifyBlock(
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
  if (!view.isActive(Feature.RideV6, view.height) && view.findAccountScript(generator) !== undefined)
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
  verifyLightNodeFields(header, view);
  return hitSource;
}

function refuse(fault: BlockFault): never {
  throw new RuleError(fault);
}

function headerAt(view: StateView, height: number): SignedHeader {
  const header = view.findHeader(height);
  if (header === undefined) throw new Error(`no block is known at height ${height}`);
  return header;
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

/** @throws RuleError headerFieldInvalid */
function verifyLightNodeFields(header: BlockHeader, view: StateView): void {
  const { functionality } = view.settings;
  if (hasLightNodeFields({ height: view.height + 1, features: view, functionality })) return;
  if (header.stateHash !== undefined)
    refuse({ code: "headerFieldInvalid", field: "stateHash", reason: "not supported yet at this height" });
  if (header.challengedHeader !== undefined)
    refuse({ code: "headerFieldInvalid", field: "challengedHeader", reason: "not supported yet at this height" });
}
