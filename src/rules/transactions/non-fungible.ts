/** Assets of a single piece. @source Waves: state/Blockchain.scala (isNFT) */
import { Feature } from "../../network/features.ts";
import type { StateView } from "../state/state-view.ts";

/** What makes an asset one of a kind. */
export interface IssuedQuantity {
  readonly quantity: bigint;
  readonly decimals: number;
  readonly reissuable: boolean;
}

/** Whether an asset issued now would be non-fungible: one indivisible piece for ever, once feature 13 is active. */
export function isNonFungible({ quantity, decimals, reissuable }: IssuedQuantity, view: StateView): boolean {
  return view.has(Feature.ReduceNftFee) && quantity === 1n && decimals === 0 && !reissuable;
}
