import { defineConfig } from "vitest/config";

// The first test waits for the node: a second, or more on a machine with much else to do.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 120_000 } });
