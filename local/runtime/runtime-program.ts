/** The runtime's program, workerd, which npm installs for the platform of the machine. */
import { createRequire } from "node:module";
import { UsageError } from "../cli/usage-error.ts";

/** Platforms that workerd supports: Node's name of each, and the suffix of the package. */
const builds: Readonly<Record<string, string>> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-64",
  "linux-arm64": "linux-arm64",
  "linux-x64": "linux-64",
  "win32-x64": "windows-64",
};

/**
 * @param machine Node's names of platform and architecture
 * @returns path of the program
 * @throws UsageError when there is none for this machine, or it is not installed
 */
export function findRuntimeProgram(machine = `${process.platform}-${process.arch}`): string {
  const build = builds[machine];
  if (build === undefined) {
    throw new UsageError(
      `The runtime, workerd, is not made for ${machine}; it is for ${Object.keys(builds).join(", ")}.`,
    );
  }
  const name = `@cloudflare/workerd-${build}`;
  const file = `${name}/bin/workerd${machine.startsWith("win32") ? ".exe" : ""}`;
  try {
    return createRequire(import.meta.url).resolve(file);
  } catch {
    throw new UsageError(
      `The runtime, ${name}, is not installed: install again on this machine, with optional dependencies.`,
    );
  }
}
