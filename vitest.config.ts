import { defineConfig } from "vitest/config";

/**
 * Four suites, told apart by file name. Vitest itself would leave one processor to nobody:
 * - `pure`: libraries, in plain Node;
 * - `object`: what needs the Workers runtime, inside workerd (`*.object.test.ts`);
 * - `product`: a really started node, over HTTP, two files at a time (`test/scenarios/product/`), those that want to be alone behind them;
 * - `example`: the tests of `examples/dapp`, as whoever copies it runs them.
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
