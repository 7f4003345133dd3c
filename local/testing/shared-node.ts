/** One node shared by many tests, reset for each. */
import type { DevNode } from "./dev-node.ts";
import { type NodeOptions, startNode } from "./start-node.ts";

export interface SharedNodeOptions extends NodeOptions {
  /** Prepares the state that every test begins with: sets scripts, funds accounts. Runs once, after the start. */
  readonly setup?: (node: DevNode) => Promise<void>;
}

/** Starts a node whose `reset` returns to the state after `setup`. @throws DevNodeError, and errors of `setup` */
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

/** Hooks of a test framework. */
export interface Hooks {
  readonly beforeAll: (run: () => Promise<void>) => void;
  readonly afterEach: (run: () => Promise<void>) => void;
  readonly afterAll: (run: () => Promise<void>) => void;
}

/** The node exists only while tests run. */
export interface SharedNode {
  readonly node: DevNode;
}

/** A node started and stopped by a framework's hooks. */
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
