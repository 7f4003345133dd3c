/** A tip on which somebody's block is worth making. */
import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";

export interface ParentCondition {
  /**
   * Whether the tip is one. Asked again and again while whoever asks would have his turn on that tip; it may do its part to make it
   * one.
   */
  isMet(chain: Chain): Promise<boolean>;
}
