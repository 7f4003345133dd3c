/** Type declarations of the package's modules: the compiler's output, reduced to the files that users reach. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Writes the declarations of modules, and of all that these import, at the same paths below a folder.
 * @param projectRoot folder of tsconfig.json
 * @param modules files, relative to the project's folder
 * @throws Error with the compiler's message
 */
export function writeDeclarations(projectRoot: string, modules: readonly string[], target: string): void {
  if (modules.length === 0) return;
  const folder = mkdtempSync(path.join(os.tmpdir(), "declarations-"));
  try {
    emitAll(projectRoot, modules, folder);
    for (const file of reachable(folder, modules.map(declarationOf))) {
      const targetFile = path.join(target, file);
      mkdirSync(path.dirname(targetFile), { recursive: true });
      copyFileSync(path.join(folder, file), targetFile);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Path of a module's declarations. */
export function declarationOf(module: string): string {
  return module.replace(/\.ts$/, ".d.ts");
}

function emitAll(projectRoot: string, modules: readonly string[], outDir: string): void {
  const settings = {
    extends: path.join(projectRoot, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir,
      rootDir: projectRoot,
    },
    files: modules.map((module) => path.join(projectRoot, module)),
    // The project's declarations for packages without types.
    include: [path.join(projectRoot, "**", "*.d.ts")],
    exclude: ["node_modules", "dist"].map((folder) => path.join(projectRoot, folder)),
  };
  // Inside the project, so that types of packages are found.
  const file = path.join(projectRoot, "node_modules", `.declarations-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(settings));
  try {
    const compiler = path.join(projectRoot, "node_modules", "typescript", "bin", "tsc");
    const { status, stdout } = spawnSync(process.execPath, [compiler, "--project", file], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the declarations of ${modules.join(", ")} cannot be made:\n${stdout}`);
  } finally {
    rmSync(file);
  }
}

/** Files of a folder that these import, directly or not, and these themselves. */
function reachable(folder: string, files: readonly string[]): ReadonlySet<string> {
  const found = new Set(files);
  for (const file of found) {
    const text = readFileSync(path.join(folder, file), "utf8");
    for (const [, specifier = ""] of text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"\n]+)"/g)) {
      found.add(declarationOf(path.join(path.dirname(file), specifier)));
    }
  }
  return found;
}
