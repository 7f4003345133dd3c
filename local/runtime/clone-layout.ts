import path from "node:path";
import type { InstallLayout } from "./install-layout.ts";

/**
 * Install layout of `npm start` in a clone of the project, with the variables that npm sets (`INIT_CWD`).
 * @param projectRoot folder of package.json
 */
export function cloneLayout(
  projectRoot: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): InstallLayout {
  const isFromNpm = environment["npm_lifecycle_event"] === "start";
  return {
    command: "npm start",
    usage: "npm start [-- FLAGS]",
    isDevByDefault: false,
    // npm runs scripts in the project's folder; paths are relative to the folder where the command was typed.
    callerFolder: (isFromNpm ? environment["INIT_CWD"] : undefined) ?? process.cwd(),
    dataFolder: path.join(projectRoot, ".data"),
    artifacts: async () => (await import("./clone-artifacts.ts")).cloneArtifacts(projectRoot),
  };
}
