/** Condition on the tip before a generator builds a block on it. */
import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";

export interface ParentCondition {
  /**
   * Whether the tip fulfils the condition. Called repeatedly while the caller could make a block on that tip; an
   * implementation may act to fulfil it.
   */
  isMet(chain: Chain): Promise<boolean>;
}
