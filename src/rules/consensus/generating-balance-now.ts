/** Generating balance in the middle of a block, for transactions and scripts. */
import type { Address } from "../../crypto/identities.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import { generatingBalanceWindow } from "./generating-balance.ts";

/**
 * Generating balance while a transaction is applied, wavelets. In addition to the earlier blocks it considers every
 * state since the start of the block.
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
