/** One node for many tests, each of which finds it as it was at the beginning. */
import type { DevNode } from "./dev-node.ts";
import { type NodeOptions, startNode } from "./start-node.ts";

export interface SharedNodeOptions extends NodeOptions {
  /** Brings the chain to where every test begins: sets scripts, funds accounts. Runs once, after the start. */
  readonly setup?: (node: DevNode) => Promise<void>;
}

/** Starts a node whose `reset` goes back to where `setup` left it. @throws DevNodeError, and what `setup` throws */
export async function startSharedNode({ setup, ...options }: SharedNodeOptions = {}): Promise<DevNode> {
  const node = await startNode(options);
  if (setup === undefined) return node;
  try {
    await setup(node);
    await node.resetsHere();
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/** The hooks of a test framework. */
export interface Hooks {
  readonly beforeAll: (run: () => Promise<void>) => void;
  readonly afterEach: (run: () => Promise<void>) => void;
  readonly afterAll: (run: () => Promise<void>) => void;
}

/** The node is there while tests run, not before. */
export interface SharedNode {
  readonly node: DevNode;
}

/** A node between a framework's hooks. */
export function nodeBetween(hooks: Hooks, options: SharedNodeOptions = {}): SharedNode {
  let node: DevNode | undefined;
  hooks.beforeAll(async () => {
    node = await startSharedNode(options);
  });
  hooks.afterEach(async () => void (await node?.reset()));
  hooks.afterAll(async () => {
    await node?.stop();
    node = undefined;
  });
  return {
    get node() {
      if (node === undefined) throw new Error("the node is there in tests and hooks, not before");
      return node;
    },
  };
}
