/** Nodes of one network whose chains go apart. */
import { SeededRandom } from "../../../scripts/tools/chain-maker/seeded-random.ts";
import { SimulatedNode } from "../../../scripts/tools/simulation/simulated-node.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { RuleError } from "../../../src/protocol/faults.ts";

export const startMs = 1_700_000_000_000;

/** Nodes of one network whose blocks differ: each has its own luck. */
export function nodeNamed(name: string): SimulatedNode {
  const luck = new SeededRandom(name);
  return new SimulatedNode({ startMs, random: (sizeBytes) => luck.bytes(sizeBytes) });
}

export function blocksOf({ chain }: SimulatedNode, from: number, to = chain.view.height): readonly Block[] {
  return Array.from({ length: to - from + 1 }, (_, index) => chain.stored.findBlock(from + index) as Block);
}

/** A node with the blocks of another one. */
export function copyOf(other: SimulatedNode, height: number, name: string): SimulatedNode {
  const node = nodeNamed(name);
  node.nowMs = other.nowMs;
  for (const block of blocksOf(other, 2, height)) node.append(block);
  return node;
}

/** Two nodes that agree up to height 5; the second has mined two blocks more since than the first. */
export function fork(): { readonly node: SimulatedNode; readonly rival: SimulatedNode } {
  const node = nodeNamed("first");
  node.mineTo(5);
  const rival = copyOf(node, 5, "second");
  node.mineTo(7);
  rival.mineTo(9);
  node.nowMs = Math.max(node.nowMs, rival.nowMs);
  return { node, rival };
}

/** Code of the fault that it ends with. */
export function faultOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RuleError) return error.fault.code;
    throw error;
  }
  return "none";
}

/** Of the blocks that left the chain and are kept. */
export function heightsOfBranchBlocks({ node }: SimulatedNode): readonly number[] {
  return node.store.rows("SELECT height FROM branch_block ORDER BY height").map(([height]) => Number(height));
}
