/** A node for the tests of a file or a `describe` in Mocha, reset after each. */
import { type Hooks, nodeBetween, type SharedNode, type SharedNodeOptions } from "./shared-node.ts";

/** Mocha's names of the hooks. */
interface MochaHooks {
  readonly before: Hooks["beforeAll"];
  readonly afterEach: Hooks["afterEach"];
  readonly after: Hooks["afterAll"];
}

/** Call it where hooks are allowed: `const chain = useNode()`, and in tests `chain.node`. */
export function useNode(options: SharedNodeOptions = {}): SharedNode {
  const { before, afterEach, after } = globalThis as unknown as MochaHooks;
  return nodeBetween({ beforeAll: before, afterEach, afterAll: after }, options);
}
