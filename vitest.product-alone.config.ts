import { defineConfig } from "vitest/config";

/** Files that want the machine to themselves: they pack the package, which is built in one place, or look at what comes first. */
export const alone = ["package", "image", "points-together", "offers-together"].map(
  (name) => `test/product/${name}.test.ts`,
);

export default defineConfig({
  test: {
    name: "product-alone",
    include: alone,
    environment: "node",
    fileParallelism: false,
    sequence: { groupOrder: 3 },
    testTimeout: 120_000,
    // What is waited for may take as long as a machine that is shared needs.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
  },
});
