import type { Artifacts } from "./artifacts.ts";

/** Install layout of the runner: everything that differs between a clone and the installed package. */
export interface InstallLayout {
  /** Command that a user types, without flags. */
  readonly command: string;
  /** The command with flags, as help shows it. */
  readonly usage: string;
  /** Whether the chain is a dev chain by default; never for a public network or an import. */
  readonly isDevByDefault: boolean;
  /** Folder to which paths on the command line are relative. */
  readonly callerFolder: string;
  /** Folder of all networks' states, unless `--data` names another. */
  readonly dataFolder: string;
  /** Files that the runtime runs. */
  readonly artifacts: () => Promise<Artifacts>;
}
