import path from "node:path";
import { defineConfig } from "vitest/config";

const testing = path.resolve(import.meta.dirname, "testing");

/** The example of a dApp, with this clone in the place of the installed package. */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^waves-edge-node\/testing$/, replacement: path.join(testing, "index.ts") },
      { find: /^waves-edge-node\/testing\/(\w+)$/, replacement: path.join(testing, "$1.ts") },
    ],
  },
  test: {
    name: "example",
    include: ["examples/dapp/test/**/*.test.ts"],
    environment: "node",
    sequence: { groupOrder: 4 },
    expect: { requireAssertions: true },
    // A machine that does other things meanwhile may need long to start a node.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
