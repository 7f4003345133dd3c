/**
 * Proof of stake for the block after a view's tip: generating balance, delay, base target.
 * @source docs/protocol/consensus-and-finality.md 1.2–1.5; Waves: consensus/PoSSelector.scala,
 * GeneratingBalanceProvider.scala
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
 * Whether the challenged account's balance counts toward the challenger's minimum balance, in the block after the tip.
 * @source docs/protocol/snapshots-and-state-hash.md 5.3; Waves 1.6: state/appender/package.scala (minerBalance)
 */
export function isBonusEnough(view: StateView): boolean {
  return view.isActive(Feature.DeterministicFinality, view.height + 1);
}

/** Base target of the block after the view's tip; depends on the block's own timestamp. */
export function baseTargetAfter(view: StateView, timestampMs: bigint): bigint {
  const parentHeight = view.height;
  const parent = headerAt(view, parentHeight);
  const options = {
    averageBlockDelayMs: view.settings.genesis.averageBlockDelayMs,
    parentHeight,
    parentBaseTarget: parent.header.baseTarget,
    parentTimestampMs: parent.header.timestamp,
    greatGrandparentTimestampMs: view.findHeader(parentHeight - 2)?.header.timestamp,
    timestampMs,
  };
  return nextBaseTarget(algorithmAfter(view), options);
}

/**
 * Time after the tip at which a generator may sign.
 * @param source VRF output, or the hash that precedes VRF
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

/** Stored hit source from which the generators of the block after the tip derive their hits. */
export function drawnHitSource(view: StateView): Uint8Array {
  const height = hitSourceHeight(view.height, view);
  const source = view.findHitSource(height);
  if (source === undefined) throw new Error(`no hit source is known at height ${height}`);
  return source;
}

/** Header at a height of the chain. */
export function headerAt(view: StateView, height: number): SignedHeader {
  const header = view.findHeader(height);
  if (header === undefined) throw new Error(`no block is known at height ${height}`);
  return header;
}
