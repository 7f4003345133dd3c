import { defineConfig } from "vitest/config";
import { pollTimeout, testTimeouts } from "./test/support/fixtures/timeouts.ts";
import { alone } from "./vitest.product-alone.config.ts";

export default defineConfig({
  test: {
    name: "product",
    include: ["test/scenarios/product/**/*.test.ts"],
    environment: "node",
    exclude: alone,
    // Each file starts nodes of its own, and mostly waits for them.
    maxWorkers: 2,
    sequence: { groupOrder: 2 },
    ...testTimeouts,
    expect: { requireAssertions: true, poll: pollTimeout },
  },
});
