/**
 * Modules that the package exports: name of the built file, and source relative to the project's folder. `exports` of
 * package.json has an entry for each: `./NAME`, with `types` at `./dist/types/MODULE.d.ts`.
 */
export const packageModules: Readonly<Record<string, string>> = {
  testing: "local/testing/index.ts",
  "testing/vitest": "local/testing/vitest.ts",
  "testing/jest": "local/testing/jest.ts",
  "testing/mocha": "local/testing/mocha.ts",
};
