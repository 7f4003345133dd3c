import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "pure",
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.object.test.ts", "test/product/**"],
    environment: "node",
    maxWorkers: "100%",
    sequence: { groupOrder: 1 },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A test that asserts nothing cannot fail.
    // What is waited for may take as long as a machine that is shared needs.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
  },
});
