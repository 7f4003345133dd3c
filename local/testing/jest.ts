/** A node for the tests of a file or a `describe` in Jest, reset after each. */
import { type Hooks, nodeBetween, type SharedNode, type SharedNodeOptions } from "./shared-node.ts";

/** Call it where hooks are allowed: `const chain = useNode()`, and in tests `chain.node`. */
export function useNode(options: SharedNodeOptions = {}): SharedNode {
  return nodeBetween(globalThis as unknown as Hooks, options);
}
