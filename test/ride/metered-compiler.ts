/** The reference compiler as the node runs it, and as it is published. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import type { RideLang } from "@waves/ride-lang";
import { withLazyTables } from "../../local/runtime/lazy-compiler.ts";
import { withStepCount } from "../../local/runtime/metered-compiler.ts";

const require = createRequire(import.meta.url);
const folder = mkdtempSync(path.join(os.tmpdir(), "compiler-"));
const file = path.join(folder, "ride-lang.cjs");
writeFileSync(file, withStepCount(withLazyTables(readFileSync(require.resolve("@waves/ride-lang"), "utf8"))));

export const meteredCompiler = require(file) as Required<RideLang>;
export const publishedCompiler = require("@waves/ride-lang") as RideLang;
rmSync(folder, { recursive: true });
