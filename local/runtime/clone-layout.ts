import path from "node:path";
import type { Home } from "./install-layout.ts";

/** `npm start` in a clone of the project, with `INIT_CWD` and what else npm tells. @param projectRoot folder of package.json */
export function cloneHome(
  projectRoot: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Home {
  const isFromNpm = environment["npm_lifecycle_event"] === "start";
  return {
    command: "npm start",
    usage: "npm start [-- FLAGS]",
    isDevByDefault: false,
    // npm runs scripts in the project's folder; paths are meant from where the command was typed.
    callerFolder: (isFromNpm ? environment["INIT_CWD"] : undefined) ?? process.cwd(),
    dataFolder: path.join(projectRoot, ".data"),
    artifacts: async () => (await import("./clone-artifacts.ts")).cloneArtifacts(projectRoot),
  };
}
