/** The program of the runtime, workerd, which npm installs for the machine that it is on. */
import { createRequire } from "node:module";
import { UsageError } from "../cli/usage-error.ts";

/** Machines that workerd is made for, as Node calls them: what its package ends with. */
const builds: Readonly<Record<string, string>> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-64",
  "linux-arm64": "linux-arm64",
  "linux-x64": "linux-64",
  "win32-x64": "windows-64",
};

/**
 * @param machine platform and architecture, as Node calls them
 * @returns the program's file
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
