import path from "node:path";
import { defineConfig } from "vitest/config";
import { pollTimeout, testTimeouts } from "./test/support/fixtures/timeouts.ts";

const testing = path.resolve(import.meta.dirname, "local/testing");

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
    ...testTimeouts,
    expect: { requireAssertions: true, poll: pollTimeout },
  },
});
