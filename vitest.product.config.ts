import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "product",
    include: ["test/product/**/*.test.ts"],
    environment: "node",
    // Each file starts nodes of its own, which want the machine to themselves.
    fileParallelism: false,
    testTimeout: 120_000,
    expect: { requireAssertions: true },
    hookTimeout: 120_000,
  },
});
