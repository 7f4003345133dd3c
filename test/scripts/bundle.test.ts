import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { bundleWorkers } from "../../scripts/runner/bundle.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(os.tmpdir(), "bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The project with a Worker of two lines. */
function makeProject(): string {
  for (const file of ["package.json", "package-lock.json", "tsconfig.json"]) {
    cpSync(path.join(projectRoot, file), path.join(folder, file));
  }
  cpSync(path.join(projectRoot, "scripts"), path.join(folder, "scripts"), { recursive: true });
  cpSync(path.join(projectRoot, "src", "env.ts"), path.join(folder, "src", "env.ts"));
  symlinkSync(path.join(projectRoot, "node_modules"), path.join(folder, "node_modules"));
  mkdirSync(path.join(folder, "page"));
  writeFileSync(path.join(folder, "page", "page.ts"), 'document.title = "a page";\n');
  writeFileSync(path.join(folder, "src", "greeting.ts"), 'export const greeting = "good day";\n');
  writeFileSync(path.join(folder, "src", "index.ts"), 'export { greeting } from "./greeting.ts";\n');
  return folder;
}

it("bundleWorkers keeps what it made for as long as no input changes", async () => {
  const project = makeProject();
  const keptFile = path.join(folder, "cache", "bundles.json");
  const first = await bundleWorkers(project, keptFile);
  expect(first.node).toContain("good day");
  expect(first.operator).toContain("not for you");
  expect(first.page).toContain("a page");
  expect(existsSync(keptFile)).toBe(true);

  // What is kept is what is given: told apart by a mark that no bundler made.
  const marked = readFileSync(keptFile, "utf8").replace("good day", "kept day");
  writeFileSync(keptFile, marked);
  expect((await bundleWorkers(project, keptFile)).node).toContain("kept day");

  writeFileSync(path.join(folder, "src", "greeting.ts"), 'export const greeting = "good night";\n');
  expect((await bundleWorkers(project, keptFile)).node).toContain("good night");

  appendFileSync(keptFile, "damage");
  expect((await bundleWorkers(project, keptFile)).node).toContain("good night");

  writeFileSync(path.join(folder, "src", "index.ts"), 'export const farewell = "bye";\n');
  rmSync(path.join(folder, "src", "greeting.ts"));
  const { node } = await bundleWorkers(project, keptFile);
  expect(node).toContain("bye");
  expect(node).not.toContain("good");
});
