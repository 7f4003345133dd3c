import { defineConfig } from "vitest/config";
import { pollTimeout, testTimeouts } from "./test/support/fixtures/timeouts.ts";

export default defineConfig({
  test: {
    name: "pure",
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.object.test.ts", "test/scenarios/product/**"],
    environment: "node",
    maxWorkers: "100%",
    sequence: { groupOrder: 1 },
    ...testTimeouts,
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: pollTimeout },
  },
});
