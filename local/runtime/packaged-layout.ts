import path from "node:path";
import { fileURLToPath } from "node:url";
import type { InstallLayout } from "./install-layout.ts";

/** Name of the folder of all networks' states, in the folder where the package is started. */
const dataFolderName = ".waves-edge-node";

/**
 * Install layout of the command `waves-edge-node` of the installed package; to be called from the package's built
 * files.
 * @param callerFolder folder where the command was typed: each project has a chain of its own
 */
export function packagedLayout(callerFolder = process.cwd()): InstallLayout {
  // All built files are in one folder.
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
