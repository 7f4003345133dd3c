/**
 * What the nodes of tests run, in a clone of the project. In the installed package `artifacts-installed.ts` stands in its place:
 * the one difference that there is between the two.
 */
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Artifacts } from "../scripts/runner/artifacts.ts";
import { cloneArtifacts } from "../scripts/runner/clone-artifacts.ts";

export function artifactsHere(): Artifacts {
  return cloneArtifacts(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
}
