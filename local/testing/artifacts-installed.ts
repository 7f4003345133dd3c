/** Built files that test nodes run, in the installed package: see `artifacts-here.ts`. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Artifacts } from "../runtime/artifacts.ts";
import { packagedArtifacts } from "../runtime/packaged-artifacts.ts";

export function artifactsHere(): Artifacts {
  return packagedArtifacts(path.dirname(fileURLToPath(import.meta.url)));
}
