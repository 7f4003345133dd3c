/**
 * Built files that test nodes run, in a clone of the project. The installed package has `artifacts-installed.ts`
 * instead, the only difference between the two.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Artifacts } from "../scripts/runner/artifacts.ts";
import { cloneArtifacts } from "../scripts/runner/clone-artifacts.ts";

export function artifactsHere(): Artifacts {
  return cloneArtifacts(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
}
