/**
 * `npm run bench [-- NAME ARGS]`: runs the benchmark `test/bench/NAME.ts` in a process of its own (so that nothing else
 * counts as its memory), or lists what there is. Each prints one table.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findNearestWord } from "./cli/nearest-word.ts";

const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(projectRoot, "test", "bench");
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith(".ts"))
      .map((file) => path.basename(file, ".ts"))
      .sort()
  : [];

const [wanted, ...args] = process.argv.slice(2);
if (wanted === undefined) {
  process.stdout.write(`npm run bench -- NAME\n${names.map((name) => `  ${name}\n`).join("")}`);
} else if (names.includes(wanted)) {
  const outcome = spawnSync(process.execPath, [path.join(folder, `${wanted}.ts`), ...args], {
    cwd: projectRoot,
    stdio: "inherit",
  });
  process.exitCode = outcome.status ?? 1;
} else {
  const nearest = findNearestWord(wanted, names);
  const hint = nearest === undefined ? `there are: ${names.join(", ") || "none yet"}` : `did you mean ${nearest}?`;
  process.stderr.write(`There is no benchmark "${wanted}"; ${hint}\n`);
  process.exitCode = 2;
}
