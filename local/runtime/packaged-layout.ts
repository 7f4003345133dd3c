import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Home } from "./install-layout.ts";

/** Of the state of a package's networks, in the folder where it is started. */
const dataFolderName = ".waves-edge-node";

/**
 * The command `waves-edge-node` of the installed package: to be called from what its build has made.
 * @param callerFolder where the command was typed: each project has a chain of its own
 */
export function packagedHome(callerFolder = process.cwd()): Home {
  // All that is built lies in one folder.
  const builtFolder = path.dirname(fileURLToPath(import.meta.url));
  const command = "waves-edge-node";
  return {
    command,
    usage: `npx ${command} [FLAGS]`,
    isDevByDefault: true,
    callerFolder,
    dataFolder: path.join(callerFolder, dataFolderName),
    artifacts: async () => (await import("./packaged-artifacts.ts")).packagedArtifacts(builtFolder),
  };
}
