/** Table `chain`: which state the other tables show. */
import { type Query, query } from "./query.ts";

export interface Chain {
  /** Tip's block id and the number of its micro-blocks. */
  readonly version: string;
  /** Grows when a block that could have been called final was taken back by hand. */
  readonly epoch: number;
  readonly height: number;
}

/** How far a fork may reach back: a block so far below the tip is final (before feature 25). */
export const maxForkDepth = 100;

/** undefined before the first publication. */
export const chainQuery: Query<Chain | undefined> = query<Chain, Chain | undefined>(
  "SELECT version, epoch, height FROM chain WHERE id = 1",
  [],
  ([row]) => row,
);

export function isFinal(height: number, chain: Chain): boolean {
  return height <= chain.height - maxForkDepth;
}

/** Names a state of the chain; two answers with the same tag are equal. */
export function stateTag(chain: Chain): string {
  return `${chain.epoch}.${chain.version}`;
}
