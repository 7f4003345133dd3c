/**
 * `npm run mutate -- [--quick] PATH...`: mutates the code in PATH (a file or folder of the project), one mutation at a
 * time, and runs the tests that reach it (`mutation/areas.ts`); `--quick` leaves out slow tests. Prints each file's
 * score and the mutations that no test caught; those in `verification/mutation/accepted.json` are explained. Reads the
 * whole project; works on a copy in `.stryker-tmp`, which also stores the results, so that the next run tries only what
 * has changed.
 */
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { type Area, areaOf } from "./areas.ts";
import {
  acceptedSchema,
  type FileScore,
  putOffRanges,
  type Report,
  reportSchema,
  scoreReport,
  withLater,
} from "./mutations.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
process.chdir(projectRoot);
const workFolder = path.join(projectRoot, ".stryker-tmp");
const accepted = acceptedSchema.parse(
  JSON.parse(readFileSync(path.join(projectRoot, "verification/mutation/accepted.json"), "utf8")),
);

const given = process.argv.slice(2);
const isQuick = given.includes("--quick");
const paths = given
  .filter((argument) => argument !== "--quick")
  .map((target) => path.relative(projectRoot, path.resolve(target)));
const missing = paths.find((target) => target.startsWith("..") || !existsSync(path.join(projectRoot, target)));
if (paths.length === 0 || missing !== undefined) {
  const error = missing === undefined ? "files or folders of the project are expected" : `there is no ${missing}`;
  process.stderr.write(`${error}: npm run mutate -- PATH...\n`);
  process.exitCode = 2;
} else {
  prepareWorkFolder();
  const scores: FileScore[] = [];
  for (const target of paths) {
    scores.push(
      ...scoreReport(await mutate(target), accepted, (file) => file === target || file.startsWith(`${target}/`)),
    );
  }
  process.stdout.write(formatScores(scores));
}

/** Tests read recordings in the `shared` folder next to the project, so the copy gets a link to it. */
function prepareWorkFolder(): void {
  mkdirSync(workFolder, { recursive: true });
  const shared = path.join(projectRoot, "..", "shared");
  const link = path.join(workFolder, "shared");
  if (existsSync(shared) && lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(shared, link);
}

/**
 * Result of each mutation of a file or folder. Mutations that are reached only while modules load are tried by all
 * tests of the area. They run later, because setup before the tests would count as loading, too.
 */
async function mutate(target: string): Promise<Report> {
  const area = areaOf(target);
  const results = target.replaceAll("/", "-");
  const mutations = [target.endsWith(".ts") ? target : `${target}/**/*.ts`];
  const { last = [], slow = [] } = area;
  if (last.length > 0 && !isQuick) {
    chooseTests(area, [...slow, ...last]);
    await runStryker(results, { mutate: mutations, ignoreStatic: true });
  }
  chooseTests(area, isQuick ? [...slow, ...last] : slow);
  const report = await runStryker(results, { mutate: mutations, ignoreStatic: true });
  const putOff = putOffRanges(report);
  if (putOff.length === 0) return report;
  return withLater(report, await runStryker(`${results}-loaded`, { mutate: putOff, ignoreStatic: false }));
}

/**
 * Chooses the tests by environment variable; the test runner, a process of its own, reads it
 * (`vitest.mutation.config.ts`).
 */
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
  for (const { file, line, mutation, isReached } of unexplainedOf(scores)) {
    lines.push(`${isReached ? "survived" : "no test "} ${file}:${line}  ${mutation}`);
  }
  for (const { file, stale } of scores) {
    for (const mutation of stale) lines.push(`explained, and does not survive: ${file}  ${mutation}`);
  }
  return `\n${lines.join("\n")}\n`;
}

function countsOf(scores: readonly FileScore[]) {
  const left = unexplainedOf(scores).length;
  const mutations = scores.reduce((sum, score) => sum + score.mutations, 0);
  const killed = scores.reduce((sum, score) => sum + score.killed, 0);
  return { mutations, killed, explained: mutations - killed - left, left };
}

function unexplainedOf(scores: readonly FileScore[]) {
  return scores.flatMap(({ survivors }) => survivors.filter(({ reason }) => reason === undefined));
}

function pad(count: number, width: number): string {
  return String(count).padStart(width);
}
