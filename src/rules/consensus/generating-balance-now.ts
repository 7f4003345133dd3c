/** Generating balance as transactions and scripts see it, in the midst of a block. */
import type { Address } from "../../crypto/identities.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { generatingBalanceWindow } from "./generating-balance.ts";

/**
 * Generating balance while a transaction is applied, wavelets: beside the earlier blocks, every state counts that the block has
 * had so far.
 * @source Waves: state/SnapshotBlockchain.scala (balanceSnapshots), consensus/GeneratingBalanceProvider.scala
 */
export function generatingBalanceNow(view: StateView, address: Address): bigint {
  const { height, settings } = view;
  const { functionality } = settings;
  const { from } = generatingBalanceWindow({ parentHeight: height, features: view, functionality });
  let lowest = view.minimumEffectiveBalance(address, from, height);
  for (let below = view; below instanceof OverlayView && below.base.height === height; ) {
    below = below.base;
    const earlier = below.minimumEffectiveBalance(address, height, height);
    if (earlier < lowest) lowest = earlier;
  }
  return lowest;
}
