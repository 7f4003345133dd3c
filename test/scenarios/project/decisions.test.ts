/** The form of the records in docs/decisions, and their index. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const folder = path.resolve(import.meta.dirname, "../../../docs/decisions");
const records = globSync("[0-9]*.md", { cwd: folder }).toSorted();
const textOf = (file: string) => readFileSync(path.join(folder, file), "utf8");

test.each(records)("decision %s has the form of a record", (file) => {
  const lines = textOf(file).trimEnd().split("\n");
  expect(lines[0]).toMatch(new RegExp(`^# ${Number(file.slice(0, 4))}\\. \\S`));
  expect(lines.slice(2, 5).join(" ")).toMatch(/^Status: .*\. Date: 2\d{3}-\d\d-\d\d\. Supersedes: /);
  for (const part of ["Context", "Decision", "Consequences"]) expect(lines.join("\n")).toContain(`\n**${part}.**`);
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
});

test("the index lists every decision by its title", () => {
  const index = textOf("README.md");
  for (const file of records) {
    const [, number, title] = /^# (\d+)\. (.*)/.exec(textOf(file)) ?? [];
    expect(index).toContain(`- [${number}. ${title}](${file})`);
  }
});
