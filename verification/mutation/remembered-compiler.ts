/**
 * Replacement for `test/support/builders/reference-compiler.ts` during mutation runs: caches compiled scripts in files,
 * because the compiler, which no mutation changes, takes longer to load than most tests take to run.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { RideLang } from "@waves/ride-lang";
import { blake2b256, keccak256, sha256 } from "../../src/crypto/hash.ts";

const folder = path.join(process.cwd(), ".bundled-tests", "compiled");

/** The script's bytes. @throws Error with the compiler's message */
export function compileSource(source: string): { readonly result: ArrayBuffer } {
  const file = path.join(folder, createHash("sha256").update(source).digest("hex"));
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, new Uint8Array(compileUncached(source)));
  }
  return { result: Uint8Array.from(readFileSync(file)).buffer };
}

let compiler: RideLang | undefined;

function compileUncached(source: string): ArrayBuffer {
  compiler ??= loadCompiler();
  const outcome = compiler.compile(source, 3, false, false, {});
  if (outcome.result === undefined) throw new Error(outcome.error);
  return outcome.result;
}

/** Loads the compiler like `src/ride/compiler/load-compiler.ts`, but synchronously. */
function loadCompiler(): RideLang {
  for (const [name, hash] of Object.entries({ blake2b256, keccak256, sha256 })) {
    const ofBuffer = (message: ArrayBuffer): ArrayBufferLike => hash(new Uint8Array(message)).slice().buffer;
    Object.assign(globalThis, { [name]: ofBuffer });
  }
  return createRequire(path.join(process.cwd(), "package.json"))("@waves/ride-lang") as RideLang;
}
