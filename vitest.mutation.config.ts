import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import pure from "./vitest.pure.config.ts";

/** The first test that fails ends the run of a mutation, so quick files go first. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = (file: TestSpecification) => this.ctx.cache.getFileTestResults(keyOf(file, this.ctx.config.root));
    return files.toSorted((left, right) => (secondsOf(left)?.duration ?? 0) - (secondsOf(right)?.duration ?? 0));
  }
}

/** How vitest names a file in its cache of durations. */
function keyOf({ project, moduleId }: TestSpecification, root: string): string {
  return `${project.name}:${moduleId.slice(root.length + 1)}`;
}

/** The tests of `npm run mutate`: those of `pure` that its environment names (`scripts/mutate.ts`). */
export default defineConfig({
  test: {
    ...pure.test,
    include: process.env["MUTATION_TESTS"]?.split(",") ?? [],
    exclude: process.env["MUTATION_SLOW_TESTS"]?.split(",") ?? [],
    // Most of a run would be the loading of modules, by each file anew.
    isolate: false,
    sequence: { sequencer: QuickestFirst },
  },
});
