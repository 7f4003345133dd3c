/** Runtime files prebuilt in the package. */
import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Artifacts } from "./artifacts.ts";
import { compatibilitySchema } from "./compatibility.ts";

/** Names below the package's folder of built files. */
export const packagedFiles = {
  /** Folder with all files that `Artifacts.write` writes. */
  runtime: "runtime",
  compatibility: "compatibility.json",
} as const;

/** @param folder of built files */
export function packagedArtifacts(folder: string): Artifacts {
  return {
    compatibility: compatibilitySchema.parse(
      JSON.parse(readFileSync(path.join(folder, packagedFiles.compatibility), "utf8")),
    ),
    write: async (target) => cpSync(path.join(folder, packagedFiles.runtime), target, { recursive: true }),
  };
}
