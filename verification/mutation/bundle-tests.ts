/**
 * Bundles of test files with their imports, for runs that load them hundreds of times: one native module instead of
 * some six hundred, each of which vitest would fetch, wrap and evaluate.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** Writes each module's original location into its code, because bundling moves it. */
const ownLocations: Plugin = {
  name: "own-places",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const code = await readFile(file, "utf8");
      const contents = code
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href))
        .replaceAll("import.meta.dirname", JSON.stringify(path.dirname(file)));
      return { contents, loader: "ts" };
    });
  },
};

/** Caches the compiler's results across mutations. */
function rememberedCompiler(root: string): Plugin {
  return {
    name: "remembered-compiler",
    setup({ onResolve }) {
      onResolve({ filter: /\/reference-compiler\.ts$/ }, () => ({
        path: path.join(root, "verification/mutation/remembered-compiler.ts"),
      }));
    },
  };
}

/**
 * @param root folder of the project
 * @param files test files below it
 * @param folder folder for the bundles
 * @returns the bundle of each file. A module that several of them import exists once, as without bundles.
 */
export async function bundleTests(
  root: string,
  files: readonly string[],
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const entryPoints = files.map((file) => ({
    in: path.join(root, file),
    out: file.replaceAll("/", "-").replace(/\.ts$/, ""),
  }));
  await build({
    ...{ absWorkingDir: root, entryPoints, outdir: folder, outExtension: { ".js": ".mjs" } },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node24", packages: "external" },
    ...{ plugins: [ownLocations, rememberedCompiler(root)], logLevel: "error" },
  });
  return new Map(
    entryPoints.map((entry, index) => [path.join(root, files[index] as string), path.join(folder, `${entry.out}.mjs`)]),
  );
}
