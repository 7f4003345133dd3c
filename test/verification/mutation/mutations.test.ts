import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  acceptedSchema,
  putOffRanges,
  type Report,
  scoreReport,
  withLater,
} from "../../../verification/mutation/mutations.ts";

const source = ["const least =", "  a > b ? b : a;", "export { least };"].join("\n");
const comparison = "a > b ? b : a; | a > b => a >= b";

type Mutant = Report["files"][string]["mutants"][number];

function mutant(status: Mutant["status"], replacement: string): Mutant {
  const start = { line: 2, column: 3 };
  return { status, replacement, location: { start, end: { line: 2, column: 8 } } };
}

function report(...mutants: Mutant[]): Report {
  return { files: { "src/least.ts": { source, mutants } } };
}

const score = (mutants: readonly Mutant[], reasons: Record<string, string> = {}) =>
  scoreReport(report(...mutants), { "src/least.ts": reasons }, () => true);

describe("the score of a file", () => {
  it("counts what tests saw, by failing, by never coming to an end or by not even beginning, of what could run", () => {
    const mutants = [
      mutant("Killed", "false"),
      mutant("Timeout", "true"),
      mutant("Survived", "a >= b"),
      mutant("NoCoverage", "a < b"),
      mutant("RuntimeError", "a"),
      mutant("Ignored", "b"),
      mutant("CompileError", "c"),
    ];
    expect(score(mutants)).toMatchObject([{ file: "src/least.ts", mutations: 5, killed: 3 }]);
  });

  it("names each survivor by its line and its change, and knows whether a test reaches it", () => {
    const [found] = score([mutant("Survived", "a >= b"), mutant("NoCoverage", "a < b")]);
    expect(found?.survivors).toMatchObject([
      { line: 2, mutation: comparison, isReached: true, reason: undefined },
      { line: 2, mutation: "a > b ? b : a; | a > b => a < b", isReached: false },
    ]);
  });

  it("takes the explanation of a survivor, and tells of one that explains nothing any more", () => {
    const reasons = { [comparison]: "both are equal then" };
    expect(score([mutant("Survived", "a >= b")], reasons)).toMatchObject([
      { survivors: [{ reason: "both are equal then" }], stale: [] },
    ]);
    expect(score([mutant("Killed", "a >= b")], reasons)).toMatchObject([{ survivors: [], stale: [comparison] }]);
  });

  it("is that of the wanted files alone", () => {
    expect(scoreReport(report(mutant("Killed", "false")), {}, (file) => file !== "src/least.ts")).toEqual([]);
  });

  it("joins code of several lines into one and cuts what is long", () => {
    const long = `${"x + ".repeat(50)}x`;
    const whole = { start: { line: 1, column: 1 }, end: { line: 2, column: 17 } };
    const [found] = scoreReport(report({ status: "Survived", replacement: long, location: whole }), {}, () => true);
    expect(found?.survivors[0]?.mutation).toBe(
      `const least = | const least = a > b ? b : a; => ${long.slice(0, 100)}…`,
    );
  });
});

it("what is put off is named as a range, and counts as a later report says", () => {
  const putOff: Mutant = { ...mutant("Ignored", "a >= b"), static: true };
  const first = report(putOff, mutant("Killed", "a < b"), mutant("Ignored", "b"));
  expect(putOffRanges(first)).toEqual(["src/least.ts:2:2-2:7"]);
  const later = report(mutant("Survived", "a >= b"), mutant("Survived", "a < b"));
  expect(withLater(first, later).files["src/least.ts"]?.mutants.map(({ status }) => status)).toEqual([
    "Survived",
    "Killed",
    "Ignored",
  ]);
  expect(withLater(first, { files: {} })).toEqual(first);
});

it("explanations are of files that there are, in their order", () => {
  const root = path.resolve(import.meta.dirname, "../../..");
  const accepted = acceptedSchema.parse(
    JSON.parse(readFileSync(path.join(root, "verification/mutation/accepted.json"), "utf8")),
  );
  expect(Object.keys(accepted).filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  expect(Object.keys(accepted)).toEqual(Object.keys(accepted).toSorted());
});
