/** Non-fungible assets. @source Waves: state/Blockchain.scala (isNFT) */
import { Feature } from "../../network/features.ts";
import type { StateView } from "../state/state-view.ts";

/** Issue data that make an asset non-fungible. */
export interface IssuedQuantity {
  readonly quantity: bigint;
  readonly decimals: number;
  readonly reissuable: boolean;
}

/** Whether an asset issued now would be non-fungible: a single indivisible unit forever, once feature 13 is active. */
export function isNonFungible({ quantity, decimals, reissuable }: IssuedQuantity, view: StateView): boolean {
  return view.has(Feature.ReduceNftFee) && quantity === 1n && decimals === 0 && !reissuable;
}
