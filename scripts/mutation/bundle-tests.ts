/**
 * Test files put together with what they import, for runs that load them anew hundreds of times: one native module in
 * place of some six hundred, each of which vitest fetches, wraps and evaluates by itself.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** Modules say where they are themselves, wherever they end up. */
const ownPlaces: Plugin = {
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

/** What tests compile is remembered from one mutation to the next. */
function rememberedCompiler(root: string): Plugin {
  return {
    name: "remembered-compiler",
    setup({ onResolve }) {
      onResolve({ filter: /\/reference-compiler\.ts$/ }, () => ({
        path: path.join(root, "test/mutation/remembered-compiler.ts"),
      }));
    },
  };
}

/**
 * @param root folder of the project
 * @param files test files below it
 * @param folder where the bundles go
 * @returns for each file its bundle. What several of them import is there once, as it is without bundles.
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
    ...{ plugins: [ownPlaces, rememberedCompiler(root)], logLevel: "error" },
  });
  return new Map(
    entryPoints.map((entry, index) => [path.join(root, files[index] as string), path.join(folder, `${entry.out}.mjs`)]),
  );
}
