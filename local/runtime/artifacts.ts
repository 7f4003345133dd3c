import type { Compatibility } from "./compatibility.ts";

/** Files that the runtime runs: built on the spot in a clone, prebuilt in the installed package. */
export interface Artifacts {
  /** Compatibility date and flags of the Workers. */
  readonly compatibility: Compatibility;
  /** Writes every file that `runtime-files.ts` names into an existing folder. */
  write(folder: string): Promise<void>;
}
