/** A node as a fixture of Vitest (3.2 or newer): one for each file, reset after each test. */
import type { DevNode } from "./dev-node.ts";
import { type SharedNodeOptions, startSharedNode } from "./shared-node.ts";

type Use = (node: DevNode) => Promise<void>;

export interface NodeFixtures {
  /** The node of the file; not reset by itself. */
  readonly fileNode: [(context: object, use: Use) => Promise<void>, { readonly scope: "file" }];
  /** The same, reset after each test that takes it. */
  readonly node: (context: { readonly fileNode: DevNode }, use: Use) => Promise<void>;
}

/** For `test.extend<{ node: DevNode }>(nodeFixture())`; tests that take it must not run at the same time. */
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
