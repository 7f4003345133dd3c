/** Prints the functions of the node's bundle that took the time of a profile. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { bundleWorkers } from "../../../local/runtime/bundle.ts";
import { bundleFiles } from "../../../local/runtime/runtime-files.ts";
import { projectRoot } from "../../local-node.ts";
import type { CpuProfile } from "./inspector.ts";
import { sharesOf } from "./profile-shares.ts";

const maxPrintedFunctions = 40;

export async function printProfile(profile: CpuProfile): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bundles-"));
  await bundleWorkers(projectRoot, folder);
  const nodeBundle = readFileSync(path.join(folder, bundleFiles.node), "utf8");
  rmSync(folder, { recursive: true });
  const { byFunction, byCall, busySeconds } = sharesOf(profile, nodeBundle);
  process.stdout.write(`\nthe isolate was busy for ${busySeconds.toFixed(2)} s\n`);
  for (const [title, shares] of Object.entries({ functions: byFunction, "with what they call": byCall })) {
    process.stdout.write(`\n${title}\n`);
    for (const [name, share] of [...shares].slice(0, maxPrintedFunctions))
      process.stdout.write(`${(share * 100).toFixed(1).padStart(6)}%  ${name}\n`);
  }
}
