/** Another node of the network, without faults. It forges branches of its own, and can copy the first node's chain. */
import { equalBytes } from "../../src/crypto/bytes.ts";
import type { Block } from "../../src/protocol/blocks/block.ts";
import { RuleError } from "../../src/protocol/errors.ts";
import type { SimulatedNode } from "../simulation/simulated-node.ts";

export class Rival {
  node: SimulatedNode;
  readonly #makeEmpty: () => SimulatedNode;

  /** @param makeEmpty makes a node at genesis */
  constructor(node: SimulatedNode, makeEmpty: () => SimulatedNode) {
    this.node = node;
    this.#makeEmpty = makeEmpty;
  }

  /**
   * Copies another node's current chain.
   * @param nowMs latest time at which its blocks were forged
   * @throws RuleError it refuses one of the blocks
   */
  follow(other: SimulatedNode, nowMs: number): void {
    this.node.nowMs = Math.max(this.node.nowMs, nowMs, Number(other.chain.stored.tip().timestamp));
    const common = commonHeight(this.node, other);
    if (!this.#rollBackTo(common)) {
      const { nowMs: latestMs } = this.node;
      this.node = this.#makeEmpty();
      this.node.nowMs = latestMs;
    }
    for (const block of blocksOf(other, this.node.height + 1)) this.node.append(block);
  }

  /**
   * Forges a branch from a height. The clock advances with it.
   * @param isEnough called after each block
   */
  branch(height: number, isEnough: () => boolean): readonly Block[] {
    if (!this.#rollBackTo(height)) return [];
    this.node.nowMs = Number(this.node.chain.stored.tip().timestamp);
    // Its own micro-blocks on the last common block would be unknown to the other node.
    this.node.pool.removeAll([...this.node.pool.all()]);
    while (!isEnough()) this.node.mineTo(this.node.height + 1);
    return blocksOf(this.node, height + 1);
  }

  /** @returns false when the rollback is too deep */
  #rollBackTo(height: number): boolean {
    try {
      this.node.chain.forks.revertTo(height, { isForced: true });
      return true;
    } catch (error) {
      if (error instanceof RuleError) return false;
      throw error;
    }
  }
}

/** A node's blocks from a height on, as peers would receive them. */
export function blocksOf({ chain }: SimulatedNode, from: number): readonly Block[] {
  const count = Math.max(chain.view.height - from + 1, 0);
  return Array.from({ length: count }, (_, index) => chain.stored.findBlock(from + index) as Block);
}

/** Height of the last block that two nodes share. */
function commonHeight(one: SimulatedNode, other: SimulatedNode): number {
  let height = Math.min(one.height, other.height);
  const idAt = ({ chain }: SimulatedNode) => chain.view.findHeader(height)?.id ?? new Uint8Array();
  while (height > 1 && !equalBytes(idAt(one), idAt(other))) height -= 1;
  return height;
}
