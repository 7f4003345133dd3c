import type { Compatibility } from "./compatibility.ts";

/** What the runtime runs: made on the spot in a clone, lying ready in the installed package. */
export interface Artifacts {
  /** Of the Workers. */
  readonly compatibility: Compatibility;
  /** Writes all that `runtime-files.ts` names into a folder, which is there. */
  write(folder: string): Promise<void>;
}
