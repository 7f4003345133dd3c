import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { bundleWorkers } from "../../../local/runtime/bundle.ts";
import { bundleFiles } from "../../../local/runtime/runtime-files.ts";

const projectRoot = path.resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(os.tmpdir(), "bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Copy of the project with a Worker of two lines. */
function makeProject(): string {
  for (const file of ["package.json", "package-lock.json", "tsconfig.json"]) {
    cpSync(path.join(projectRoot, file), path.join(folder, file));
  }
  cpSync(path.join(projectRoot, "local"), path.join(folder, "local"), { recursive: true });
  // The operator's Worker is bundled from the project's own files.
  for (const part of ["env.ts", "worker/runner-token.ts", "crypto"])
    cpSync(path.join(projectRoot, "src", part), path.join(folder, "src", part), { recursive: true });
  symlinkSync(path.join(projectRoot, "node_modules"), path.join(folder, "node_modules"));
  for (const name of ["web/api-docs", "web/explorer/signing", "web/explorer/styles"])
    mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, "web", "api-docs", "api-docs.ts"), 'document.title = "a page";\n');
  writeFileSync(path.join(folder, "web", "explorer", "explorer.tsx"), 'document.title = "an explorer";\n');
  writeFileSync(path.join(folder, "web", "explorer", "styles", "explorer.css"), "b { color: red }\n");
  writeFileSync(path.join(folder, "web", "explorer", "signing", "signing.ts"), 'export const signer = "a signer";\n');
  writeFileSync(path.join(folder, "src", "greeting.ts"), 'export const greeting = "good day";\n');
  writeFileSync(path.join(folder, "src", "index.ts"), 'export { greeting } from "./greeting.ts";\n');
  return folder;
}

const cacheFolder = path.join(folder, "cache", "bundles");

async function bundle(project: string): Promise<Readonly<Record<keyof typeof bundleFiles, string>>> {
  const target = mkdtempSync(path.join(folder, "target-"));
  await bundleWorkers(project, target, cacheFolder);
  const read = (file: string): string => readFileSync(path.join(target, file), "utf8");
  return Object.fromEntries(Object.entries(bundleFiles).map(([name, file]) => [name, read(file)])) as Record<
    keyof typeof bundleFiles,
    string
  >;
}

/** Changes the stored bundle, so that a test can tell it from a new one. */
function change(from: string, to: string): void {
  const files = readdirSync(cacheFolder, { recursive: true, encoding: "utf8" });
  const bundles = files.filter((file) => path.basename(file) === bundleFiles.node);
  expect(bundles).toHaveLength(1);
  const file = path.join(cacheFolder, bundles[0] as string);
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
}

it("bundleWorkers keeps what it made for as long as no input changes", async () => {
  const project = makeProject();
  const first = await bundle(project);
  expect(first.node).toContain("good day");
  expect(first.operator).toContain("Ask the node at the address that it shows.");
  expect(first.page).toContain("a page");
  expect(first.explorer).toContain("an explorer");
  expect(first.explorerStyle).toContain("color:red");
  expect(first.signing).toContain("a signer");
  expect(first.compiler).toContain("STDLIB_VERSION");

  change("good day", "kept day");
  expect((await bundle(project)).node).toContain("kept day");

  writeFileSync(path.join(folder, "src", "greeting.ts"), 'export const greeting = "good night";\n');
  expect((await bundle(project)).node).toContain("good night");

  change("good night", "kept night");
  appendFileSync(path.join(cacheFolder, "kept.json"), "damage");
  expect((await bundle(project)).node).toContain("good night");

  change("good night", "kept night");
  const [digest = ""] = readdirSync(cacheFolder).filter((name) => name !== "kept.json");
  rmSync(path.join(cacheFolder, digest, bundleFiles.compiler));
  expect((await bundle(project)).node).toContain("good night");

  writeFileSync(path.join(folder, "src", "index.ts"), 'export const farewell = "bye";\n');
  rmSync(path.join(folder, "src", "greeting.ts"));
  const { node } = await bundle(project);
  expect(node).toContain("bye");
  expect(node).not.toContain("good");
});

it("bundleWorkers makes bundles where none can be kept", async () => {
  const target = mkdtempSync(path.join(folder, "target-"));
  const file = path.join(folder, "no-folder");
  writeFileSync(file, "");
  await bundleWorkers(folder, target, path.join(file, "bundles"));
  expect(readFileSync(path.join(target, bundleFiles.node), "utf8")).toContain("bye");
});
