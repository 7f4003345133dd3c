import { defineConfig } from "vitest/config";

/**
 * Four suites, by file name. Vitest alone would use every processor:
 * - `pure`: libraries, in plain Node;
 * - `object`: what needs the Workers runtime, inside workerd (`*.object.test.ts`);
 * - `product`: a really started node, over HTTP, two files at a time (`test/scenarios/product/`), then
 *   those that need the machine alone;
 * - `example`: the tests of `examples/dapp`, as a user who copied it runs them.
 */
export default defineConfig({
  test: {
    projects: [
      "./vitest.pure.config.ts",
      "./vitest.object.config.ts",
      "./vitest.product.config.ts",
      "./vitest.product-alone.config.ts",
      "./vitest.example.config.ts",
    ],
  },
});
