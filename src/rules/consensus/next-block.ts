/**
 * What a view of the state says of the block after its tip: who may sign it, when, and with which base target.
 * @source docs/protocol/consensus-and-finality.md 1.2–1.5; Waves: consensus/PoSSelector.scala,
 *   GeneratingBalanceProvider.scala
 */
import type { Address } from "../../crypto/identities.ts";
import { Feature } from "../../network/features.ts";
import type { SignedHeader } from "../../protocol/blocks/block.ts";
import type { StateView } from "../state/state-view.ts";
import { nextBaseTarget } from "./base-target.ts";
import { blockDelayMs } from "./block-delay.ts";
import { generatingBalanceWindow } from "./generating-balance.ts";
import { hitOf, hitSourceHeight } from "./hit.ts";
import { posAlgorithm } from "./pos-algorithm.ts";

/** Generating balance with which the account may sign the block after the view's tip, wavelets. */
export function generatingBalanceAt(view: StateView, address: Address): bigint {
  const { from, to } = generatingBalanceWindow({
    parentHeight: view.height,
    features: view,
    functionality: view.settings.functionality,
  });
  return view.minimumEffectiveBalance(address, from, to);
}

/**
 * Whether what the challenged account has counts toward the least balance of who challenges it, in the block after the tip.
 * @source docs/protocol/snapshots-and-state-hash.md 5.3; Waves 1.6: state/appender/package.scala (minerBalance)
 */
export function isBonusEnough(view: StateView): boolean {
  return view.isActive(Feature.DeterministicFinality, view.height + 1);
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

/** The header at a height that the chain has. */
export function headerAt(view: StateView, height: number): SignedHeader {
  const header = view.findHeader(height);
  if (header === undefined) throw new Error(`no block is known at height ${height}`);
  return header;
}
