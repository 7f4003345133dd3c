import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import type { RideLang } from "@waves/ride-lang";
import { afterAll, expect, it } from "vitest";
import { withLazyTables } from "../../../local/runtime/lazy-compiler.ts";
import { loadCompiler } from "../../../src/ride/compiler/load-compiler.ts";

const require = createRequire(import.meta.url);
const folder = mkdtempSync(path.join(os.tmpdir(), "compiler-"));
afterAll(() => rmSync(folder, { recursive: true }));

const expression = (version: number, source: string): string =>
  `{-# STDLIB_VERSION ${version} #-}\n{-# CONTENT_TYPE EXPRESSION #-}\n${source}`;
const asset = (version: number): string =>
  `{-# STDLIB_VERSION ${version} #-}\n{-# CONTENT_TYPE EXPRESSION #-}\n{-# SCRIPT_TYPE ASSET #-}\nmatch tx {\n  case t: TransferTransaction => t.amount > 1\n  case _ => true\n}`;
const dApp = (version: number): string =>
  `{-# STDLIB_VERSION ${version} #-}\n{-# CONTENT_TYPE DAPP #-}\nlet a = sha256(base58'aa')\n@Verifier(tx)\nfunc verify() = sigVerify(tx.bodyBytes, tx.proofs[0], tx.senderPublicKey)\n`;
const call = (version: number): string =>
  `${dApp(version)}@Callable(i)\nfunc put(key: String) = [IntegerEntry(key, height), ScriptTransfer(i.caller, 1, unit)]\n`;
const library = (version: number): string =>
  `{-# STDLIB_VERSION ${version} #-}\n{-# CONTENT_TYPE LIBRARY #-}\nfunc twice(x: Int) = x * 2\n`;
const sources = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((version) => [
  expression(version, "height > 1 && sigVerify(tx.id, tx.id, tx.id)"),
  expression(version, "unknown(1)"),
  asset(version),
  dApp(version),
  call(version),
  library(version),
]);

/** Estimator versions, and whether names are shortened. */
const variants = [
  [1, false],
  [2, true],
  [3, false],
] as const;

/** The result of the compiler, or its error message for some sources. */
function resultOf(compile: () => unknown): unknown {
  try {
    return compile();
  } catch (error) {
    return String(error);
  }
}

it("withLazyTables changes when the compiler makes its tables, not what comes of them", async () => {
  const original = await loadCompiler();
  const file = path.join(folder, "ride-lang.cjs");
  writeFileSync(file, withLazyTables(readFileSync(require.resolve("@waves/ride-lang"), "utf8")));
  const lazy = require(file) as RideLang;
  let compiled = 0;
  for (const source of sources) {
    for (const [estimator, compacts] of variants) {
      const result = lazy.compile(source, estimator, compacts, false, {});
      expect(result, source).toEqual(original.compile(source, estimator, compacts, false, {}));
      if (result.result !== undefined) compiled++;
    }
    const parsed = (compiler: RideLang) => resultOf(() => compiler.parseAndCompile(source, 3, false, false, {}));
    expect(parsed(lazy), source).toEqual(parsed(original));
    expect(lazy.scriptInfo(source)).toEqual(original.scriptInfo(source));
  }
  expect(compiled).toBeGreaterThan(sources.length);
});

it("withLazyTables takes no other text", () => {
  expect(() => withLazyTables("module.exports = {};")).toThrow("another one");
});
