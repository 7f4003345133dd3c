/** Options of Stryker for `npm run mutate`; `verification/mutation/mutate-command.ts` adds files and output paths. */
export default {
  testRunner: "vitest",
  // Threads start in half the time of processes.
  vitest: { configFile: "vitest.mutation.config.ts", related: false, pool: "threads" },
  plugins: ["@stryker-mutator/vitest-runner", "./verification/mutation/ignore-error-texts.ts"],
  ignorers: ["fault-texts"],
  coverageAnalysis: "perTest",
  incremental: true,
  // One after the other: how long a run takes says whether a mutation has made a loop endless.
  concurrency: 1,
  timeoutMS: 10_000,
  timeoutFactor: 4,
  // A longer first run than this is of too many tests.
  dryRunTimeoutMinutes: 15,
  // Stryker would read it with a part of the compiler that TypeScript 7 does not have.
  tsconfigFile: "none",
  reporters: ["json", "progress-append-only"],
  tempDirName: ".stryker-tmp",
  cleanTempDir: "always",
  ignorePatterns: ["docs", ".data", ".test-results", ".wrangler", "biome.json"],
  disableTypeChecks: false,
  allowConsoleColors: false,
};
