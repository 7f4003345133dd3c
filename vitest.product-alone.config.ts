import { defineConfig } from "vitest/config";
import { pollTimeout, testTimeouts } from "./test/support/fixtures/timeouts.ts";

/**
 * Files that want the machine to themselves: they pack the package, which is built in one place, or look at what comes
 * first.
 */
export const alone = ["package", "image", "query-batching", "broadcast-batching"].map(
  (name) => `test/scenarios/product/${name}.test.ts`,
);

export default defineConfig({
  test: {
    name: "product-alone",
    include: alone,
    environment: "node",
    fileParallelism: false,
    sequence: { groupOrder: 3 },
    ...testTimeouts,
    expect: { requireAssertions: true, poll: pollTimeout },
  },
});
