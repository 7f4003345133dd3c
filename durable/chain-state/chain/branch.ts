/** Blocks, each the parent of the next, that may be more than fit into memory together. */
import type { Block, SignedHeader } from "../../../src/protocol/blocks/block.ts";
import type { AppendContext } from "./liquid-chain.ts";

export interface BranchBlock {
  readonly block: Block;
  readonly context: AppendContext;
}

/** Each call begins with the lowest block. */
export interface Branch {
  /** @throws WireError; RuleError of what cannot be read */
  heads(): Iterable<SignedHeader>;
  /**
   * The blocks behind so many of the lowest ones.
   * @throws WireError; RuleError of what cannot be read
   */
  blocks(passedOver: number): Iterable<BranchBlock>;
}

export function branchOf(blocks: readonly BranchBlock[]): Branch {
  return { heads: () => blocks.map(({ block }) => block), blocks: (passedOver) => blocks.slice(passedOver) };
}
