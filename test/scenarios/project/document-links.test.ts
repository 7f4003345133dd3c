/** Links in the documents resolve. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const projectRoot = path.resolve(import.meta.dirname, "../../..");
const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: projectRoot,
  exclude: (name) => name === "node_modules",
});

const textOf = (document: string) => readFileSync(path.join(projectRoot, document), "utf8");
const isMissing = (file: string) => !existsSync(path.join(projectRoot, file));

/** Project files that a document links to, relative to the project's root. */
function targetsOf(document: string): readonly string[] {
  const text = textOf(document);
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target.split("#")[0] as string);
  const own = targets.filter((target) => target !== "" && !/^[a-z]+:/.test(target));
  return own.map((target) => path.join(path.dirname(document), target));
}

test.each(documents)("%s", (document) => {
  expect(targetsOf(document).filter(isMissing)).toEqual([]);
  const named = [...textOf(document).matchAll(/`(test\/[\w./-]+\.ts)`/g)].map(([, file = ""]) => file);
  expect(named.filter(isMissing)).toEqual([]);
});

test("documents of the package point to what it brings", () => {
  const { files } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8")) as { files: string[] };
  const packaged = [...files, "README.md", "LICENSE", "package.json"];
  const isIn = (file: string) => (each: string) => file === each || file.startsWith(`${each}/`);
  const isPackaged = (file: string) => packaged.some(isIn(file)) && !packaged.some(isIn(`!${file}`));
  const packed = documents.filter(isPackaged);
  expect(packed).toContain("docs/dev-chains.md");
  expect(packed.flatMap(targetsOf).filter((target) => !isPackaged(target))).toEqual([]);
});
