import { globSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { bundleTests } from "./verification/mutation/bundle-tests.ts";
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

const root = process.cwd();
const bundleFolder = path.join(root, ".bundled-tests");
const include = process.env["MUTATION_TESTS"]?.split(",") ?? [];
const exclude = process.env["MUTATION_SLOW_TESTS"]?.split(",") ?? [];
const left = new Set(globSync(exclude, { cwd: root }));
const files = globSync(include, { cwd: root }).filter((file) => !left.has(file));
const bundles = await bundleTests(root, files, bundleFolder);

/**
 * The tests of `npm run mutate`: those of `pure` that its environment names
 * (`verification/mutation/mutate-command.ts`).
 */
export default defineConfig({
  plugins: [
    {
      name: "bundled-tests",
      enforce: "pre",
      load(id) {
        const bundle = bundles.get(id);
        return bundle === undefined ? undefined : `import ${JSON.stringify(bundle)};`;
      },
    },
  ],
  test: {
    ...pure.test,
    include: files,
    // Bundles are loaded as they are.
    server: { deps: { external: [/\/\.bundled-tests\//] } },
    // With isolation each file would load all modules again, which takes most of a run.
    isolate: false,
    sequence: { sequencer: QuickestFirst },
  },
});
