/** What documents point to is there. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const projectRoot = path.resolve(import.meta.dirname, "../..");
const documents = globSync(["*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: projectRoot,
  exclude: (name) => name === "node_modules",
});

test.each(documents)("%s", (document) => {
  const text = readFileSync(path.join(projectRoot, document), "utf8");
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target.split("#")[0] as string);
  const own = targets.filter((target) => target !== "" && !/^[a-z]+:/.test(target));
  const missing = own.filter((target) => !existsSync(path.resolve(projectRoot, path.dirname(document), target)));
  expect(missing).toEqual([]);
});
