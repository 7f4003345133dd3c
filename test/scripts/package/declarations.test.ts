import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeDeclarations } from "../../../scripts/package/declarations.ts";

const projectRoot = path.resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(path.join(os.tmpdir(), "declarations-test-"));
const target = path.join(folder, "types");
afterAll(() => rmSync(folder, { recursive: true }));

const sources = {
  "testing/start.ts": `import type { Account } from "./account.ts";
import { inner } from "../src/inner.ts";
export async function start(): Promise<{ accounts: Account[]; colour: import("../src/colour.ts").Colour }> {
  return { accounts: [{ seed: String(inner()) }], colour: "red" };
}
`,
  "testing/account.ts": "export interface Account {\n  readonly seed: string;\n}\n",
  "src/colour.ts": 'export type Colour = "red" | "green";\n',
  "src/inner.ts": "export const inner = (): number => 1;\n",
} as const;

beforeAll(() => {
  for (const [file, text] of Object.entries(sources)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const { compilerOptions } = { compilerOptions: { module: "esnext", moduleResolution: "bundler", strict: true } };
  const options = { ...compilerOptions, target: "es2024", allowImportingTsExtensions: true, types: [] };
  writeFileSync(path.join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(path.join(projectRoot, "node_modules", "typescript"), path.join(folder, "node_modules", "typescript"));
});

it("writes the declarations of a module, and those that these name, and no others", () => {
  writeDeclarations(folder, ["testing/start.ts"], target);
  const written = readdirSync(target, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(written.sort()).toEqual(["src/colour.d.ts", "testing/account.d.ts", "testing/start.d.ts"]);
  expect(readFileSync(path.join(target, "testing", "start.d.ts"), "utf8")).toContain("Promise<");
});

it("ends with what the compiler says of a module that is wrong", () => {
  writeFileSync(path.join(folder, "testing", "wrong.ts"), 'export const wrong: number = "text";\n');
  expect(() => writeDeclarations(folder, ["testing/wrong.ts"], target)).toThrow(
    /testing\/wrong\.ts cannot[\s\S]*TS2322/,
  );
});
