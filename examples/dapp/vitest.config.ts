import { defineConfig } from "vitest/config";

// The first test waits for the node's start: a second, or more on a busy machine.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 120_000 } });
