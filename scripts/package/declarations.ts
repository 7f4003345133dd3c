/** Declarations of the package's modules: what the compiler writes, and of that what their users reach. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/**
 * Writes the declarations of modules, and of all that these name, each at its place below a folder.
 * @param projectRoot folder of tsconfig.json
 * @param modules files, from the project's folder
 * @throws Error with the compiler's words
 */
export function writeDeclarations(projectRoot: string, modules: readonly string[], target: string): void {
  if (modules.length === 0) return;
  const folder = mkdtempSync(path.join(os.tmpdir(), "declarations-"));
  try {
    emitAll(projectRoot, modules, folder);
    for (const file of reachable(folder, modules.map(declarationOf))) {
      const place = path.join(target, file);
      mkdirSync(path.dirname(place), { recursive: true });
      copyFileSync(path.join(folder, file), place);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where the declarations of a module stand. */
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
    // What the project says of packages that say nothing of themselves.
    include: [path.join(projectRoot, "**", "*.d.ts")],
    exclude: ["node_modules", "dist"].map((folder) => path.join(projectRoot, folder)),
  };
  // In the project: types of packages are found from there.
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

/** The files of a folder that these name, over any number of others, and they themselves. */
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
