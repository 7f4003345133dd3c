/**
 * Bundles the Workers, each to one JavaScript module, with the script compiler beside them. Bundling takes half a second
 * that most starts need not spend: the result is kept with the digest of every file that went into it.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";

const bundlesSchema = z.object({
  /** The node's Worker with its Durable Object, bundled as the deployment does. */
  node: z.string(),
  /** The runner's own Worker. */
  operator: z.string(),
  /** The page's script (`page/page.ts`), for browsers. */
  page: z.string(),
  /** The script compiler, a CommonJS module: `compilerModule`. */
  compiler: z.string(),
});

export type Bundles = z.infer<typeof bundlesSchema>;

const keptSchema = z.object({
  /** Paths from the project's folder, with which the digest was made. */
  inputs: z.array(z.string()),
  digest: z.string(),
  bundles: bundlesSchema,
});

const compilerPackage = "@waves/ride-lang";
/**
 * Under this name the node's module finds the compiler. It is a module of its own because the runtime reads such a one
 * when it is first asked for; as a part of the node it would double the time that every start takes.
 */
export const compilerModule = "ride-lang.cjs";

/** Not named by the bundler, and yet they decide what it makes: versions, resolution, and the options below. */
const settings = ["package.json", "package-lock.json", "tsconfig.json", "scripts/runner/bundle.ts"];

/**
 * @param projectRoot folder of package.json
 * @param keptFile where the result of the last time is kept
 */
export async function bundleWorkers(projectRoot: string, keptFile: string): Promise<Bundles> {
  const kept = findKept(projectRoot, keptFile);
  if (kept !== undefined) return kept;
  const { bundles, inputs } = await bundle(projectRoot);
  const digest = digestOf(projectRoot, inputs);
  if (digest !== undefined) keep(keptFile, { inputs, digest, bundles });
  return bundles;
}

async function bundle(projectRoot: string): Promise<{ bundles: Bundles; inputs: string[] }> {
  const { build, stop } = await import("esbuild");
  const page = await bundlePage(projectRoot);
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: {
      node: path.join(projectRoot, "src", "index.ts"),
      operator: path.join(projectRoot, "scripts", "runner", "operator-worker.ts"),
    },
    // Nothing is written; the folder only makes names of the outputs.
    outdir: projectRoot,
    bundle: true,
    write: false,
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
    // Without renaming there is nothing to keep; keeping names costs a call for each function that is made.
    keepNames: false,
    logLevel: "error",
  });
  // Its helper process has nothing more to do.
  await stop();
  const outputs = outputFiles.map((file) => [path.basename(file.path, ".js"), file.text]);
  const compilerFile = path.relative(
    projectRoot,
    createRequire(path.join(projectRoot, "package.json")).resolve(compilerPackage),
  );
  const compiler = readFileSync(path.join(projectRoot, compilerFile), "utf8");
  return {
    bundles: bundlesSchema.parse({ ...Object.fromEntries(outputs), page: page.script, compiler }),
    inputs: [...Object.keys(metafile.inputs), ...page.inputs, compilerFile],
  };
}

/** The page's script as browsers read it, and the files that went into it. */
export async function bundlePage(projectRoot: string): Promise<{ script: string; inputs: string[] }> {
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [path.join(projectRoot, "page", "page.ts")],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    format: "iife",
    target: "es2023",
    platform: "browser",
    logLevel: "error",
  });
  return { script: outputFiles.map(({ text }) => text).join(""), inputs: Object.keys(metafile.inputs) };
}

function findKept(projectRoot: string, keptFile: string): Bundles | undefined {
  try {
    const { inputs, digest, bundles } = keptSchema.parse(JSON.parse(readFileSync(keptFile, "utf8")));
    return digestOf(projectRoot, inputs) === digest ? bundles : undefined;
  } catch {
    return undefined;
  }
}

/** @returns undefined when an input is not there any more */
function digestOf(projectRoot: string, inputs: readonly string[]): string | undefined {
  try {
    const hash = createHash("sha256");
    for (const input of [...settings, ...inputs]) {
      const bytes = readFileSync(path.join(projectRoot, input));
      hash.update(`${input} ${bytes.length}\n`).update(bytes);
    }
    return hash.digest("hex");
  } catch {
    return undefined;
  }
}

function keep(keptFile: string, kept: z.infer<typeof keptSchema>): void {
  const draft = `${keptFile}.${process.pid}`;
  try {
    mkdirSync(path.dirname(keptFile), { recursive: true });
    writeFileSync(draft, JSON.stringify(kept));
    renameSync(draft, keptFile);
  } catch {
    // A folder that cannot be written makes the next start slower, nothing else.
  }
}
