/** A node as a fixture of Vitest (3.2 or newer): one for each file, reset after each test. */
import type { DevNode } from "./dev-node.ts";
import { type SharedNodeOptions, startSharedNode } from "./shared-node.ts";

type Use = (node: DevNode) => Promise<void>;

/** What tests are given: `test.extend<NodeContext>(nodeFixture())`. */
export interface NodeContext {
  /** The node of the file, reset after each test that takes it. */
  readonly node: DevNode;
  /** The same, not reset by itself. */
  readonly fileNode: DevNode;
}

export interface NodeFixtures {
  readonly fileNode: [(context: object, use: Use) => Promise<void>, { readonly scope: "file" }];
  readonly node: (context: Pick<NodeContext, "fileNode">, use: Use) => Promise<void>;
}

/** For `test.extend<NodeContext>(nodeFixture())`; tests that take the node must not run at the same time. */
export function nodeFixture(options: SharedNodeOptions = {}): NodeFixtures {
  return {
    fileNode: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
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
