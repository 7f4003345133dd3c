import { defineConfig } from "vitest/config";
import { alone } from "./vitest.product-alone.config.ts";

export default defineConfig({
  test: {
    name: "product",
    include: ["test/product/**/*.test.ts"],
    environment: "node",
    exclude: alone,
    // Each file starts nodes of its own, and mostly waits for them.
    maxWorkers: 2,
    sequence: { groupOrder: 2 },
    testTimeout: 120_000,
    // What is waited for may take as long as a machine that is shared needs.
    expect: { requireAssertions: true, poll: { timeout: 20_000 } },
    hookTimeout: 120_000,
  },
});
