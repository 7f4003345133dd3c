import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { noticesOf, packageFolders } from "../../../scripts/package/notices.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "notices-"));
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

it("packageFolders names each package once, those inside of others too", () => {
  const files = [
    "src/index.ts",
    "node_modules/@noble/curves/utils.js",
    "node_modules/@noble/curves/abstract/curve.js",
    "node_modules/zod/v4/core.js",
    "node_modules/a/node_modules/b/index.js",
  ];
  expect(packageFolders(files)).toEqual([
    "node_modules/@noble/curves",
    "node_modules/a/node_modules/b",
    "node_modules/zod",
  ]);
});

it("noticesOf gives name, version, author and licence, and the texts that a package brings", () => {
  write("node_modules/one/package.json", '{"name":"one","version":"1.0.0","license":"MIT","author":{"name":"Ann"}}');
  write("node_modules/one/LICENSE", "Copyright Ann\n");
  write("node_modules/one/NOTICE", "with a part of Ben's\n");
  write("node_modules/one/README.md", "read me\n");
  write("node_modules/two/package.json", '{"name":"two","version":"2.0.0","license":"ISC"}');
  const text = noticesOf(folder, ["node_modules/one", "node_modules/two"]);
  expect(text).toContain("one 1.0.0, by Ann. Licence: MIT\n\nCopyright Ann\n\nwith a part of Ben's\n");
  expect(text).toContain("two 2.0.0. Licence: ISC\n");
  expect(text).not.toContain("read me");
});

it("noticesOf refuses a package that names no licence", () => {
  write("node_modules/three/package.json", '{"name":"three","version":"3.0.0"}');
  expect(() => noticesOf(folder, ["node_modules/three"])).toThrow("license");
});
