/**
 * Built files that test nodes run, in a clone of the project. The installed package has `artifacts-installed.ts`
 * instead, the only difference between the two.
 */
import path from "node:path";
import type { Artifacts } from "../runtime/artifacts.ts";
import { cloneArtifacts } from "../runtime/clone-artifacts.ts";

export function artifactsHere(): Artifacts {
  return cloneArtifacts(path.resolve(import.meta.dirname, "../.."));
}
