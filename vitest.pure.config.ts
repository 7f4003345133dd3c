import { defineConfig } from "vitest/config";
import { patience, pollPatience } from "./test/support/fixtures/timeouts.ts";

export default defineConfig({
  test: {
    name: "pure",
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.object.test.ts", "test/scenarios/product/**"],
    environment: "node",
    maxWorkers: "100%",
    sequence: { groupOrder: 1 },
    ...patience,
    // A test that asserts nothing cannot fail.
    expect: { requireAssertions: true, poll: pollPatience },
  },
});
