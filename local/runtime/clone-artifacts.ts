/** Runtime files built from the sources of a clone and from development dependencies. */
import { copyFileSync, mkdirSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Artifacts } from "./artifacts.ts";
import { bundleWorkers } from "./bundle.ts";
import { readCompatibility } from "./compatibility.ts";
import { simulatorModules, webBundles, webFilesFolder } from "./runtime-files.ts";
import { writeWebFiles } from "./web-files.ts";

/** @param projectRoot folder of package.json */
export function cloneArtifacts(projectRoot: string): Artifacts {
  return {
    compatibility: readCompatibility(path.join(projectRoot, "wrangler.toml")),
    write: async (folder) => void (await writeRuntimeFiles(projectRoot, folder)),
  };
}

/** Writes the files of `Artifacts.write`. @returns the bundled source files, as paths from the project's folder */
export async function writeRuntimeFiles(projectRoot: string, folder: string): Promise<readonly string[]> {
  const inputs = await bundleWorkers(projectRoot, folder);
  const simulators = path.join(path.dirname(createRequire(import.meta.url).resolve("miniflare")), "workers");
  for (const [file, source] of Object.entries(simulatorModules)) {
    copyFileSync(path.join(simulators, source), path.join(folder, file));
  }
  const pagePath = path.join(folder, webFilesFolder);
  mkdirSync(pagePath);
  for (const file of webBundles) renameSync(path.join(folder, file), path.join(pagePath, file));
  writeWebFiles(pagePath);
  return inputs;
}
