/** Branch: blocks, each the parent of the next, possibly more than fit into memory together. */
import type { Block, SignedHeader } from "../../../src/protocol/blocks/block.ts";
import type { AppendContext } from "./liquid-chain.ts";

export interface BranchBlock {
  readonly block: Block;
  readonly context: AppendContext;
}

/** Sequence of connected blocks. Each call begins with the lowest one. */
export interface Branch {
  /** @throws WireError, RuleError if a block cannot be read */
  heads(): Iterable<SignedHeader>;
  /**
   * Blocks after the lowest `passedOver` ones.
   * @throws WireError, RuleError if a block cannot be read
   */
  blocks(passedOver: number): Iterable<BranchBlock>;
}

export function branchOf(blocks: readonly BranchBlock[]): Branch {
  return { heads: () => blocks.map(({ block }) => block), blocks: (passedOver) => blocks.slice(passedOver) };
}
