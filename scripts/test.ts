/**
 * `npm test [-- NAME ...]`: all checks, or the named ones. Reads the whole project; writes the test runner's reports to
 * `.test-results`. The last line is `N passed, N failed`, summed from the runners' own counts.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findNearestWord } from "../local/cli/nearest-word.ts";
import { type Count, countReport } from "./test/count-report.ts";

const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const reportFolder = path.join(projectRoot, ".test-results");

/** Tools that pass or fail as a whole; each counts as one test. */
const tools = {
  style: ["@biomejs/biome/bin/biome", "check", "--error-on-warnings"],
  types: ["typescript/bin/tsc", "--noEmit"],
  // Browser code: its globals clash with those of Workers.
  page: ["typescript/bin/tsc", "--noEmit", "--project", "web/api-docs"],
  explorer: ["typescript/bin/tsc", "--noEmit", "--project", "web/explorer"],
  unused: ["knip/bin/knip.js"],
  // Code that only tests call.
  unreached: ["knip/bin/knip.js", "--production"],
} as const;

/** Projects of vitest.config.ts; those that find an error at the lowest cost run first. */
const suites = ["pure", "object", "product", "example"] as const;

const names = [...Object.keys(tools), ...suites];
const requested = process.argv.slice(2);
const unknown = requested.find((name) => !names.includes(name));
if (unknown === undefined) {
  const counts = await runAll((name) => requested.length === 0 || requested.includes(name));
  const sum = (pick: (count: Count) => number) => counts.reduce((total, count) => total + pick(count), 0);
  const skipped = sum((count) => count.skipped);
  if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
  process.stdout.write(`${sum((count) => count.passed)} passed, ${sum((count) => count.failed)} failed\n`);
  process.exitCode = sum((count) => count.failed) === 0 ? 0 : 1;
} else {
  const nearest = findNearestWord(unknown, names);
  process.stderr.write(
    `There is no check "${unknown}": ${nearest === undefined ? names.join(", ") : `did you mean ${nearest}?`}\n`,
  );
  process.exitCode = 2;
}

async function runAll(isSelected: (name: string) => boolean): Promise<Count[]> {
  rmSync(reportFolder, { recursive: true, force: true });
  mkdirSync(reportFolder, { recursive: true });
  const selectedTools = Object.entries(tools).filter(([name]) => isSelected(name));
  const counts = await Promise.all(selectedTools.map(([name, [script, ...args]]) => runTool(name, script, args)));
  for (const suite of suites) {
    if (isSelected(suite)) counts.push(await runSuite(suite));
  }
  return counts;
}

async function runTool(name: string, script: string, args: readonly string[]): Promise<Count> {
  const startedMs = performance.now();
  const { code, output } = await runModule(script, args, "pipe");
  const isPassed = code === 0;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(`${isPassed ? "ok    " : "FAILED"} ${name} (${seconds} s)\n${isPassed ? "" : output}`);
  return { passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0 };
}

async function runSuite(name: string): Promise<Count> {
  process.stdout.write(`\nsuite ${name}\n`);
  const reportFile = path.join(reportFolder, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`];
  const { code } = await runModule(
    "vitest/vitest.mjs",
    // A suite may have several projects: `product-alone` belongs to `product`.
    ["run", "--project", `${name}*`, "--passWithNoTests", ...reporters],
    "inherit",
  );
  const count = countReport(readReport(reportFile));
  // A runner that fails without a failed test could not start, or met an error outside of the tests.
  return code !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Runs a script of an installed package with this Node, which may be newer than the one on the path. */
function runModule(
  script: string,
  args: readonly string[],
  output: "pipe" | "inherit",
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const file = path.join(projectRoot, "node_modules", script);
    const child = spawn(process.execPath, [file, ...args], { cwd: projectRoot, stdio: ["ignore", output, output] });
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    child.stderr?.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    child.on("error", (error) => resolve({ code: null, output: `${error.message}\n` }));
    child.on("close", (code) => resolve({ code, output: text }));
  });
}
