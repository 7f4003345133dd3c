/**
 * Bundles the Workers, each to one JavaScript module, with the script compiler beside them. Bundling takes half a
 * second that most starts can save: the result is cached with the digest of every input file.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { withLazyTables } from "./lazy-compiler.ts";
import { withStepCount } from "./metered-compiler.ts";
import { bundleFiles, compilerModule } from "./runtime-files.ts";

/** Index of the bundle cache; the bundles are in a folder that is named after the digest. */
const cacheSchema = z.object({
  /** Input files of the digest, as paths from the project's folder. */
  inputs: z.array(z.string()),
  digest: z.string(),
});
const cacheFile = "kept.json";

const compilerPackage = "@waves/ride-lang";
/** Inputs that the bundler does not report: package versions, module resolution, and the options below. */
const settings = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "local/runtime/bundle.ts",
  "local/runtime/lazy-compiler.ts",
  "local/runtime/metered-compiler.ts",
  "local/runtime/compiler-text.ts",
  "local/runtime/runtime-files.ts",
];

/**
 * Writes `bundleFiles` into a folder. Their texts never enter the memory of this process, which lives as long as the
 * node.
 * @param projectRoot folder of package.json
 * @param target existing folder
 * @param keptFolder folder of the bundle cache
 * @returns the input files, as paths from the project's folder
 */
export async function bundleWorkers(
  projectRoot: string,
  target: string,
  keptFolder: string = path.join(projectRoot, "node_modules", ".cache", "bundles"),
): Promise<readonly string[]> {
  const kept = copyCached(projectRoot, keptFolder, target);
  if (kept !== undefined) return kept;
  const inputs = await bundle(projectRoot, target);
  const digest = digestOf(projectRoot, inputs);
  if (digest !== undefined) storeInCache(keptFolder, { inputs, digest }, target);
  return inputs;
}

/**
 * Builds the bundles. The bundler writes them itself: their texts do not pass through this process.
 * @returns the input files
 */
async function bundle(projectRoot: string, target: string): Promise<string[]> {
  const { build, stop } = await import("esbuild");
  const pages = await bundleWebScripts(projectRoot, target);
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: {
      [path.parse(bundleFiles.node).name]: path.join(projectRoot, "src", "index.ts"),
      [path.parse(bundleFiles.operator).name]: path.join(projectRoot, "local", "runtime", "operator-worker.ts"),
      [path.parse(bundleFiles.garbage).name]: path.join(projectRoot, "local", "runtime", "request-garbage.ts"),
    },
    outdir: target,
    bundle: true,
    metafile: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "browser"],
    external: ["node:*", "cloudflare:*"],
    plugins: [
      {
        name: "compiler apart",
        setup: ({ onResolve }) => {
          const filter = new RegExp(`^${compilerPackage}$`);
          onResolve({ filter }, () => ({ path: `./${compilerModule}`, external: true }));
        },
      },
    ],
    // Nothing is renamed, so there is no name to keep; keeping names costs a call for each function created.
    keepNames: false,
    // Its messages come with the error that it throws.
    logLevel: "silent",
  });
  // Ends esbuild's helper process, which is no longer needed.
  await stop();
  return [...Object.keys(metafile.inputs), ...pages, writeCompiler(projectRoot, target)];
}

/** Writes the script compiler as the node runs it. @returns its source file, as a path from the project's folder */
export function writeCompiler(projectRoot: string, target: string): string {
  const compiler = createRequire(path.join(projectRoot, "package.json")).resolve(compilerPackage);
  const text = withStepCount(withLazyTables(readFileSync(compiler, "utf8")));
  writeFileSync(path.join(target, bundleFiles.compiler), text);
  return path.relative(projectRoot, compiler);
}

/**
 * Writes the scripts of the API docs and the explorer, and the explorer's style sheet, as browsers read them.
 * @returns the input files
 */
export async function bundleWebScripts(projectRoot: string, target: string): Promise<string[]> {
  const { build } = await import("esbuild");
  const explorer = path.join(projectRoot, "web", "explorer");
  const forBrowsers = async (format: "iife" | "esm", entries: Readonly<Record<string, string>>): Promise<string[]> => {
    const { metafile } = await build({
      absWorkingDir: projectRoot,
      entryPoints: Object.entries(entries).map(([file, source]) => ({ in: source, out: path.parse(file).name })),
      outdir: target,
      bundle: true,
      metafile: true,
      minify: true,
      format,
      target: "es2023",
      platform: "browser",
      alias: { "node:crypto": path.join(explorer, "signing", "node-crypto.ts") },
      // Its messages come with the error that it throws.
      logLevel: "silent",
    });
    return Object.keys(metafile.inputs);
  };
  const scripts = await forBrowsers("iife", {
    [bundleFiles.page]: path.join(projectRoot, "web", "api-docs", "api-docs.ts"),
    [bundleFiles.explorer]: path.join(explorer, "explorer.tsx"),
  });
  const modules = await forBrowsers("esm", {
    [bundleFiles.explorerStyle]: path.join(explorer, "styles", "explorer.css"),
    [bundleFiles.signing]: path.join(explorer, "signing", "signing.ts"),
  });
  return [...scripts, ...modules];
}

/** Copies the cached bundles. @returns their input files; undefined when an input has changed since */
function copyCached(projectRoot: string, keptFolder: string, target: string): readonly string[] | undefined {
  try {
    const { inputs, digest } = cacheSchema.parse(JSON.parse(readFileSync(path.join(keptFolder, cacheFile), "utf8")));
    if (digestOf(projectRoot, inputs) !== digest) return undefined;
    for (const file of Object.values(bundleFiles))
      copyFileSync(path.join(keptFolder, digest, file), path.join(target, file));
    return inputs;
  } catch {
    return undefined;
  }
}

/** @returns SHA-256 of all inputs in hex; undefined when an input no longer exists */
function digestOf(projectRoot: string, inputs: readonly string[]): string | undefined {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  try {
    const hash = createHash("sha256");
    for (const input of [...settings, ...inputs]) {
      const file = openSync(path.join(projectRoot, input), "r");
      try {
        let sizeBytes = 0;
        for (let read = -1; read !== 0; sizeBytes += read) {
          read = readSync(file, buffer);
          hash.update(buffer.subarray(0, read));
        }
        hash.update(`\n${input} ${sizeBytes}\n`);
      } finally {
        closeSync(file);
      }
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

/** Bytes of a file read at a time. */
const READ_BYTES = 65_536;

/** Copies the bundles into the cache and removes older ones; a start that is copying those bundles its own instead. */
function storeInCache(keptFolder: string, kept: z.infer<typeof cacheSchema>, made: string): void {
  const draft = path.join(keptFolder, `draft-${process.pid}`);
  try {
    mkdirSync(draft, { recursive: true });
    for (const file of Object.values(bundleFiles)) copyFileSync(path.join(made, file), path.join(draft, file));
    for (const name of readdirSync(keptFolder)) {
      if (/^[0-9a-f]{64}$/.test(name)) rmSync(path.join(keptFolder, name), { recursive: true });
    }
    renameSync(draft, path.join(keptFolder, kept.digest));
    const draftFile = `${draft}.json`;
    writeFileSync(draftFile, JSON.stringify(kept));
    renameSync(draftFile, path.join(keptFolder, cacheFile));
  } catch {
    // A cache folder that cannot be written only makes the next start slower.
  }
}
