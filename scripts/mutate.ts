/**
 * `npm run mutate -- PATH...`: changes the code in PATH (a file or folder of the project) at one place at a time, and
 * runs the tests that reach the place (`mutation/areas.ts`). Prints the score of each file and the mutations that no
 * test saw; those in `test/mutation/accepted.json` are explained. Reads the whole project; writes below `.stryker-tmp`,
 * where it works on a copy, and keeps what it found for the next run, which tries again only what has changed.
 */
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Stryker } from "@stryker-mutator/core";
import { type Area, areaOf } from "./mutation/areas.ts";
import {
  acceptedSchema,
  type FileScore,
  putOffRanges,
  type Report,
  reportSchema,
  scoreReport,
  withLater,
} from "./mutation/mutations.ts";

const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.chdir(projectRoot);
const workFolder = path.join(projectRoot, ".stryker-tmp");
const accepted = acceptedSchema.parse(
  JSON.parse(readFileSync(path.join(projectRoot, "test/mutation/accepted.json"), "utf8")),
);

const paths = process.argv.slice(2).map((given) => path.relative(projectRoot, path.resolve(given)));
const missing = paths.find((wanted) => wanted.startsWith("..") || !existsSync(path.join(projectRoot, wanted)));
if (paths.length === 0 || missing !== undefined) {
  const fault = missing === undefined ? "files or folders of the project are expected" : `there is no ${missing}`;
  process.stderr.write(`${fault}: npm run mutate -- PATH...\n`);
  process.exitCode = 2;
} else {
  prepareWorkFolder();
  const scores: FileScore[] = [];
  for (const wanted of paths) {
    scores.push(
      ...scoreReport(await mutate(wanted), accepted, (file) => file === wanted || file.startsWith(`${wanted}/`)),
    );
  }
  process.stdout.write(formatScores(scores));
}

/** What lies beside the project lies beside its copy, too: tests read recordings there. */
function prepareWorkFolder(): void {
  mkdirSync(workFolder, { recursive: true });
  const beside = path.join(projectRoot, "..", "shared");
  const link = path.join(workFolder, "shared");
  if (existsSync(beside) && lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(beside, link);
}

/**
 * What becomes of each mutation of a file or folder. Those that only loading a module reaches are tried by all tests of
 * the area. They come later, because what tests load and make before they begin would count as that, too.
 */
async function mutate(wanted: string): Promise<Report> {
  const area = areaOf(wanted);
  const results = wanted.replaceAll("/", "-");
  const mutations = [wanted.endsWith(".ts") ? wanted : `${wanted}/**/*.ts`];
  const { last = [], slow = [] } = area;
  if (last.length > 0) {
    chooseTests(area, [...slow, ...last]);
    await runStryker(results, { mutate: mutations, ignoreStatic: true });
  }
  chooseTests(area, slow);
  const report = await runStryker(results, { mutate: mutations, ignoreStatic: true });
  const putOff = putOffRanges(report);
  if (putOff.length === 0) return report;
  return withLater(report, await runStryker(`${results}-loaded`, { mutate: putOff, ignoreStatic: false }));
}

/** The test runner, a process of its own, reads them (`vitest.mutation.config.ts`). */
function chooseTests(area: Area, leftOut: readonly string[]): void {
  process.env["MUTATION_TESTS"] = area.tests
    .map((tests) => (tests.endsWith(".ts") ? tests : `${tests}/**/*.test.ts`))
    .join(",");
  process.env["MUTATION_SLOW_TESTS"] = ["test/**/*.object.test.ts", ...leftOut].join(",");
}

async function runStryker(
  results: string,
  options: { readonly mutate: string[]; readonly ignoreStatic: boolean },
): Promise<Report> {
  const reportFile = path.join(workFolder, `${results}.report.json`);
  const incrementalFile = path.join(workFolder, `${results}.incremental.json`);
  const settings = { configFile: "stryker.config.mjs", incrementalFile, jsonReporter: { fileName: reportFile } };
  await new Stryker({ ...settings, ...options }).runMutationTest();
  return reportSchema.parse(JSON.parse(readFileSync(reportFile, "utf8")));
}

function formatScores(scores: readonly FileScore[]): string {
  const rows = scores.map((score) => ({ name: score.file, ...countsOf([score]) }));
  rows.push({ name: "all", ...countsOf(scores) });
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = [`${"".padEnd(width)}  mutations  killed  explained  left   score`];
  for (const { name, mutations, killed, explained, left } of rows) {
    const score = mutations === 0 ? "" : `${((100 * killed) / mutations).toFixed(1)} %`;
    const columns = [pad(mutations, 11), pad(killed, 8), pad(explained, 11), pad(left, 6), score.padStart(10)];
    lines.push(`${name.padEnd(width)}${columns.join("")}`);
  }
  for (const { file, line, mutation, isReached } of leftOf(scores)) {
    lines.push(`${isReached ? "survived" : "no test "} ${file}:${line}  ${mutation}`);
  }
  for (const { file, stale } of scores) {
    for (const mutation of stale) lines.push(`explained, and does not survive: ${file}  ${mutation}`);
  }
  return `\n${lines.join("\n")}\n`;
}

function countsOf(scores: readonly FileScore[]) {
  const left = leftOf(scores).length;
  const mutations = scores.reduce((sum, score) => sum + score.mutations, 0);
  const killed = scores.reduce((sum, score) => sum + score.killed, 0);
  return { mutations, killed, explained: mutations - killed - left, left };
}

function leftOf(scores: readonly FileScore[]) {
  return scores.flatMap(({ survivors }) => survivors.filter(({ reason }) => reason === undefined));
}

function pad(count: number, width: number): string {
  return String(count).padStart(width);
}
