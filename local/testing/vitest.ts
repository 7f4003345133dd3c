/** A node as a Vitest fixture (3.2 or newer): one for each file, reset after each test. */
import type { DevNode } from "./dev-node.ts";
import { type SharedNodeOptions, startSharedNode } from "./shared-node.ts";

type Use = (node: DevNode) => Promise<void>;

/** Context of tests: `test.extend<NodeContext>(nodeFixture())`. */
export interface NodeContext {
  /** The file's node, reset after each test that uses it. */
  readonly node: DevNode;
  /** The same node without the reset. */
  readonly fileNode: DevNode;
}

export interface NodeFixtures {
  readonly fileNode: [(context: object, use: Use) => Promise<void>, { readonly scope: "file" }];
  readonly node: (context: Pick<NodeContext, "fileNode">, use: Use) => Promise<void>;
}

/** Fixtures for `test.extend<NodeContext>(nodeFixture())`. Tests that use the node must not run concurrently. */
export function nodeFixture(options: SharedNodeOptions = {}): NodeFixtures {
  return {
    fileNode: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to see which fixtures are needed
      async ({}, use) => {
        const node = await startSharedNode(options);
        await use(node);
        await node.stop();
      },
      { scope: "file" },
    ],
    node: async ({ fileNode }, use) => {
      await use(fileNode);
      await fileNode.reset();
    },
  };
}
