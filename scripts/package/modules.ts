/**
 * Modules that the package exports: name of the built file, and source relative to the project's folder. `exports` of
 * package.json has an entry for each: `./NAME`, with `types` at `./dist/types/MODULE.d.ts`.
 */
export const packageModules: Readonly<Record<string, string>> = {
  testing: "testing/index.ts",
  "testing/vitest": "testing/vitest.ts",
  "testing/jest": "testing/jest.ts",
  "testing/mocha": "testing/mocha.ts",
};
