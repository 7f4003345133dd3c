/**
 * Builds the files of `npm pack` besides documents: the command, the modules for import, and everything that the
 * runtime runs.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { writeRuntimeFiles } from "../../local/runtime/clone-artifacts.ts";
import { readCompatibility } from "../../local/runtime/compatibility.ts";
import { packagedFiles } from "../../local/runtime/packaged-artifacts.ts";
import { writeDeclarations } from "./declarations.ts";
import { hoconComponents } from "./hocon-components.ts";
import { installedArtifacts } from "./installed-artifacts.ts";
import { packageModules } from "./modules.ts";
import { noticesOf, packageFolders } from "./notices.ts";

const command = { "waves-edge-node": "scripts/package/waves-edge-node.mjs" } as const;

/** Packages whose files are copied unchanged. */
const copiedPackages = ["node_modules/miniflare", "node_modules/swagger-ui-dist"] as const;

/**
 * Builds the folder from scratch.
 * @param projectRoot folder of package.json
 * @param target output folder
 */
export async function buildPackage(projectRoot: string, target = path.join(projectRoot, "dist")): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  const runtimeFolder = path.join(target, packagedFiles.runtime);
  mkdirSync(runtimeFolder, { recursive: true });
  const inputs = [
    ...(await writeRuntimeFiles(projectRoot, runtimeFolder)),
    ...(await bundlePrograms(projectRoot, { ...command, ...packageModules }, target)),
  ];
  const compatibility = readCompatibility(path.join(projectRoot, "wrangler.toml"));
  writeFileSync(path.join(target, packagedFiles.compatibility), `${JSON.stringify(compatibility)}\n`);
  writeDeclarations(projectRoot, Object.values(packageModules), path.join(target, "types"));
  const folders = [...new Set([...packageFolders(inputs), ...copiedPackages])].sort();
  writeFileSync(path.join(target, "NOTICE.txt"), noticesOf(projectRoot, folders));
}

/**
 * Bundles programs for Node, which loads no TypeScript from below node_modules. Shared modules, and modules that a
 * start loads later or never, become separate files.
 * @param entries names of built files, with their sources
 * @returns the bundled files, relative to the project's folder
 */
async function bundlePrograms(
  projectRoot: string,
  entries: Readonly<Record<string, string>>,
  outdir: string,
): Promise<readonly string[]> {
  const { build, stop } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: { ...entries },
    outdir,
    bundle: true,
    splitting: true,
    metafile: true,
    format: "esm",
    target: "node20",
    platform: "node",
    chunkNames: "part-[hash]",
    plugins: [hoconComponents, installedArtifacts],
    inject: [path.join(projectRoot, "scripts", "package", "node-20.ts")],
    // CommonJS packages require Node's own modules by name.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    // Errors are part of the exception.
    logLevel: "silent",
  });
  await stop();
  return Object.keys(metafile.inputs);
}
