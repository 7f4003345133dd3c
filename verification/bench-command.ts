/**
 * `npm run bench [-- NAME ARGS]`: runs the benchmark `verification/bench/NAME.ts` in a process of its own, so that its
 * memory is measured alone. Without a name, lists the benchmarks. Each prints one table.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { findNearestWord } from "../local/cli/nearest-word.ts";

const projectRoot = path.resolve(import.meta.dirname, "..");
const folder = path.join(projectRoot, "verification", "bench");
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => path.basename(file, ".ts"))
      .sort()
  : [];

const [benchmark, ...args] = process.argv.slice(2);
if (benchmark === undefined) {
  process.stdout.write(`npm run bench -- NAME\n${names.map((name) => `  ${name}\n`).join("")}`);
} else if (names.includes(benchmark)) {
  const outcome = spawnSync(process.execPath, [path.join(folder, `${benchmark}.ts`), ...args], {
    cwd: projectRoot,
    stdio: "inherit",
  });
  process.exitCode = outcome.status ?? 1;
} else {
  const nearest = findNearestWord(benchmark, names);
  const hint = nearest === undefined ? `there are: ${names.join(", ") || "none yet"}` : `did you mean ${nearest}?`;
  process.stderr.write(`There is no benchmark "${benchmark}"; ${hint}\n`);
  process.exitCode = 2;
}
